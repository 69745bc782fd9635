"""What evaluation harnesses leave behind, read: each trap that their files hold, with values worked out by hand."""

from __future__ import annotations

import json
import zipfile

import duckdb
import pytest
from scipy.special import logit
from scipy.stats import t as student_t

import harnesses
import metameasure as mm
from metameasure.core.errors import DataError, UsageError

TASK = {"task": "outcomes"}


def means(*data, **how):
    """The runs' means over all items as one, of the measures asked for."""
    scores = mm.evaluate(*data, **TASK, average="pooled", **how)
    return {run: {name: pytest.approx(value) for name, value in scores[run].items()} for run in scores.runs}


def of_one(*data, **how):
    (found,) = means(*data, **how).values()
    return found


class TestLmEval:
    def test_a_folder_of_models_and_tasks(self, tmp_path):
        harnesses.lm_eval(tmp_path, "org/small", "sums", {"acc": [1, 0, 0, 0]})
        harnesses.lm_eval(tmp_path, "org/large", "sums", {"acc": [True, True, False, 1.0]})
        harnesses.lm_eval(tmp_path, "org/large", "words", {"acc": [1, 0]}, date="2026-03-02T10-00-00.000001")
        harnesses.lm_eval(tmp_path, "org/small", "words", {"acc": [0, 0]}, date="2026-03-02T10-00-00.000001")
        scores = mm.evaluate(tmp_path, **TASK)
        assert scores.runs == ("org/large", "org/small")
        assert set(scores.topics) == {"sums", "words"}
        assert scores["org/large"] == {"acc": pytest.approx((3 / 4 + 1 / 2) / 2)}
        assert scores["org/small"] == {"acc": pytest.approx((1 / 4 + 0) / 2)}
        by_pattern = mm.evaluate(str(tmp_path / "org__*/samples_sums_*.jsonl"), **TASK)
        assert (by_pattern["org/large"]["acc"], by_pattern["org/small"]["acc"]) == (0.75, 0.25)

    def test_filters_are_never_mixed(self, tmp_path):
        """Trap 1: evalsig 0.1.2 finds 8 items in 4 documents, and a mean of two measures."""
        both = ("strict-match", "flexible-extract")
        path = harnesses.lm_eval(tmp_path, "m", "gsm8k", {"exact_match": [1, 1, 1, 0]}, filters=both)
        with pytest.raises(DataError) as told:
            mm.evaluate(path, **TASK)
        assert "'gsm8k' is scored by several filters: flexible-extract and strict-match; choose with filter=" in str(told.value)
        assert of_one(path, filter="strict-match") == {"exact_match": 0.75}
        assert mm.evaluate(path, **TASK, filter="flexible-extract").runs == ("m",)
        with pytest.raises(DataError, match="several filters"):
            mm.evaluate(path, **TASK, filter="strict_match")
        other = harnesses.lm_eval(tmp_path, "m", "sums", {"exact_match": [0, 1]})  # which has one filter only
        assert mm.evaluate(path, [other], **TASK, filter="strict-match")["m"] == {"exact_match": pytest.approx((0.75 + 0.5) / 2)}

    def test_the_message_names_the_option(self, run, tmp_path):
        harnesses.lm_eval(tmp_path, "m", "gsm8k", {"exact_match": [1, 0]}, filters=("strict-match", "flexible-extract"))
        status, _, err = run("evaluate", tmp_path, "--task", "outcomes")
        assert status == 1
        assert "flexible-extract and strict-match; choose with --filter strict-match" in err

    def test_a_file_that_was_appended_to_is_refused(self, tmp_path):
        """Trap 2: a second run with the same date writes behind the first."""
        path = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0, 1]})
        path.write_text(path.read_text() * 2)
        with pytest.raises(DataError) as told:
            mm.evaluate(path, **TASK)
        assert f"{path}:4: item '0' of topic 'sums' of measure 'acc' again (first in line 1)" in str(told.value)

    def test_another_revision_of_the_data_is_refused(self, tmp_path):
        """Trap 3: doc_id is the row in the split, and doc_hash says what stands there."""
        first = harnesses.lm_eval(tmp_path, "a", "sums", {"acc": [1, 0]})
        second = harnesses.lm_eval(tmp_path, "b", "sums", {"acc": [1, 1]}, revision=" (mended)")
        with pytest.raises(DataError) as told:
            mm.evaluate(first, [second], **TASK)
        assert f"{second}: item '0' is not the item of that name in {first}" in str(told.value)
        assert "the data are of another revision, though the harness says version=1.0" in str(told.value)
        other = {"versions": {"sums": 2.0}, "task_hashes": {"sums": "41e40c718b7d0f2f"}}
        second = harnesses.lm_eval(tmp_path, "b", "sums", {"acc": [1, 1]}, revision=" (mended)", **other)
        with pytest.raises(DataError) as told:
            mm.evaluate(first, [second], **TASK)
        assert "the data are of version=2.0, task_hash=41e40c718b7d here, and of version=1.0 there" in str(told.value)

    def test_items_are_paired_by_hash_whatever_their_ids(self, tmp_path):
        """Trap 3: documents in another order, or drawn otherwise, are the same documents."""

        def shuffled(path, order):
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            lines = [json.dumps(rows[place] | {"doc_id": number}) + "\n" for number, place in enumerate(order)]
            path.write_text("".join(lines))
            return path

        first = harnesses.lm_eval(tmp_path, "a", "sums", {"acc": [1, 1, 1, 1, 1, 1, 0, 0]})
        other = shuffled(harnesses.lm_eval(tmp_path, "b", "sums", {"acc": [1, 1, 0, 0, 0, 0, 0, 0]}), [7, 6, 5, 4, 3, 2, 1, 0])
        found = mm.compare(mm.count(first, [other], **TASK), "acc")
        assert found.p[0, 1] == pytest.approx(2 / 2**4)  # four documents to none; by their ids six to two
        merged = mm.merge([mm.count(first, **TASK), mm.count(other, **TASK)])
        assert mm.compare(merged, "acc").p.tolist() == found.p.tolist()
        slices = mm.evaluate(first, [other], **TASK, by="subject").slices
        assert slices.values[0].tolist() == [[0.75, 0.25], [0.75, 0.25]]
        few = shuffled(harnesses.lm_eval(tmp_path, "few", "sums", {"acc": [1, 1, 1, 1, 1, 0, 0, 0]}), [5, 6, 0])
        assert any("3 items of few have other ids elsewhere" in note for note in mm.evaluate(first, [few], **TASK).notes)

    def test_documents_that_are_twice_in_the_data_are_two_items(self, tmp_path):
        """Equal hashes within a run: told apart by their ids, as long as these agree."""
        paths = [
            harnesses.lm_eval(tmp_path, model, "sums", {"acc": scores})
            for model, scores in {"a": [1, 0, 1], "b": [0, 0, 1]}.items()
        ]
        for path in paths:
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            path.write_text("".join(json.dumps(row | {"doc_hash": "same"}) + "\n" for row in rows))
        scores = mm.evaluate(paths[0], paths[1:], **TASK)
        assert (scores["a"]["acc"], scores["b"]["acc"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
        assert not any("paired by their hashes" in note for note in scores.notes)

    def test_parts_of_other_revisions_are_not_merged(self, tmp_path):
        first = harnesses.lm_eval(tmp_path, "a", "sums", {"acc": [1, 0]})
        second = harnesses.lm_eval(tmp_path, "b", "sums", {"acc": [1, 1]}, revision=" (mended)")
        with pytest.raises(UsageError, match="item '0' is one item here and another there"):
            mm.merge([mm.count(first, **TASK), mm.count(second, **TASK)])

    def test_documents_that_are_not_there_are_counted(self, tmp_path):
        """Trap 3: a part of the documents, and what the results say of how many there were."""
        effective = {"n-samples": {"sums": {"original": 5000, "effective": 100}}}
        path = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0]}, **effective)
        assert any("2 documents are there, but the results beside are of 100" in note for note in mm.evaluate(path, **TASK).notes)
        half = harnesses.lm_eval(tmp_path, "half", "sums", {"acc": [1]})
        scores = mm.evaluate(path, [half], **TASK)
        assert "1 of 2" in json.dumps([remark.words for remark in scores.remarks])

    def test_every_measure_is_kept_apart(self, tmp_path):
        """Trap 4: acc and acc_norm are both there, and none is chosen in silence; pass@1 is not exact_match."""
        path = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0, 0, 0], "acc_norm": [1, 1, 0, 0]})
        assert of_one(path) == {"acc": 0.25, "acc_norm": 0.5}
        assert of_one(path, measures="acc_norm") == {"acc_norm": 0.5}
        with pytest.raises(UsageError, match="exact_match"):
            mm.evaluate(path, **TASK, measures="exact_match")

    def test_what_is_no_score_is_left_out_and_said(self, tmp_path):
        """Trap 4: a pair of a log-likelihood and a number of words is no score; a list of one value is; NaN is none."""
        values = {"acc": [[1.0], False, float("nan"), 1], "word_perplexity": [[-12.5, 7]] * 4}
        path = harnesses.lm_eval(tmp_path, "m", "sums", values)
        scores = mm.evaluate(path, **TASK)
        assert scores["m"] == {"acc": pytest.approx(2 / 3)}
        left_out = ":1: word_perplexity is left out, because it is not a number for each item ([-12.5,7])"
        assert any(left_out in one for one in scores.notes)
        only = harnesses.lm_eval(tmp_path, "n", "sums", {"bits": [[-12.5, 7]] * 2})
        with pytest.raises(DataError, match=r":1: bits is \[-12.5,7\], which is no score of an item"):
            mm.evaluate(only, **TASK)

    def test_answers_without_scores(self, tmp_path):
        """Trap 4: bypass is 999 where --predict_only left scoring out."""
        path = harnesses.lm_eval(tmp_path, "m", "sums", {"bypass": [999, 999]})
        with pytest.raises(DataError, match="answers are there without scores"):
            mm.evaluate(path, **TASK)

    def test_older_lines_do_not_list_their_measures(self, tmp_path):
        path = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0], "acc_norm": [1, 1]}, listed=False)
        assert of_one(path) == {"acc": 0.5, "acc_norm": 1.0}

    def test_the_model_is_named_in_the_results(self, tmp_path):
        """Trap 5: nothing in the samples names the model, and the folder's name is not its own."""
        path = harnesses.lm_eval(tmp_path, "org/a__b", "sums", {"acc": [1, 0]})
        assert mm.evaluate(path, **TASK).runs == ("org/a__b",)
        path.with_name(f"results_{harnesses.DATE}.json").unlink()
        scores = mm.evaluate(path, **TASK)
        assert scores.runs == ("org/a/b",)
        assert any("the run is called by its folder" in note for note in scores.notes)

    def test_the_newest_date_of_a_folder_counts(self, tmp_path):
        """Trap 5: several dates in one folder; files that are named one by one are runs of their own."""
        old = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 1]}, date="2026-01-01T10-00-00.000001")
        new = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0]}, date="2026-02-01T10-00-00.000001")
        for named in (tmp_path, str(tmp_path / "m/samples_*.jsonl")):
            scores = mm.evaluate(named, **TASK)
            assert scores["m"] == {"acc": 0.5}
            assert any(f"{old} left out" in note for note in scores.notes)
        both = means(old, [new])
        assert sorted(one["acc"].expected for one in both.values()) == [0.5, 1.0]
        assert all("date=2026-0" in name for name in both)

    def test_direction_comes_from_the_results(self, tmp_path):
        """Trap 5: higher_is_better."""
        lower = {"higher_is_better": {"sums": {"loss": False}}}
        a = harnesses.lm_eval(tmp_path, "a", "sums", {"loss": [0.5, 0.25]}, **lower)
        b = harnesses.lm_eval(tmp_path, "b", "sums", {"loss": [2.0, 3.0]}, **lower)
        scores = mm.evaluate(a, [b], **TASK)
        assert [measure.better for measure in scores.measures] == ["lower"]
        rows = str(scores).splitlines()
        assert next(row.split()[1] for row in rows if row.split()[:1] == ["1"]) == "a"

    def test_documents_have_metadata(self, tmp_path):
        path = harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0, 1, 1]})
        by_subject = mm.evaluate(path, **TASK, columns={"topic": "subject"})
        assert set(by_subject.topics) == {"algebra", "geometry"}
        assert by_subject["m"] == {"acc": pytest.approx((1 + 0.5) / 2)}

    def test_slices_of_metadata(self, run, tmp_path):
        harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0, 1, 1]}, filters=("x", "y"))
        status, out, err = run("evaluate", tmp_path, "--filter", "x", "--by", "subject")
        assert status == 0, err
        assert "algebra" in out
        assert "geometry" in out

    def test_results_alone_are_refused(self, tmp_path):
        harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0]})
        with pytest.raises(DataError, match=r"these are results of lm-eval for whole tasks.*samples_\*\.jsonl"):
            mm.evaluate(tmp_path / "m" / f"results_{harnesses.DATE}.json", **TASK)


class TestInspect:
    @pytest.mark.needs("shared-data")
    def test_three_epochs_of_a_real_log(self, shared_data):
        """Trap 6, 7 and 8: Zstandard, letters, an object of values, epochs. The log's own header has these numbers."""
        log = shared_data / "harness/inspect/mock_epochs3.eval"
        found = of_one(log, better="higher")
        assert of_one(log) == {"four": found["four"]}  # nobody says which scores of clarity and truth are better
        whole = mm.evaluate(log, **TASK, measures="four", ci=True)
        ((low, high),) = (ends for one in whole.to_dict()["runs"] for ends in one["intervals"]["four"].values())
        of_logit = (logit(high) - logit(low)) / 2 / student_t(2).ppf(0.975)  # three passages
        assert of_logit * (13 / 36) * (23 / 36) == pytest.approx(0.027778, abs=5e-6)
        assert found == {"four": pytest.approx(0.361111, abs=5e-7), "clarity": pytest.approx(2.666667, abs=5e-7), "truth": 3.0}

    @pytest.mark.needs("shared-data")
    def test_real_json_logs(self, shared_data):
        folder = shared_data / "harness/inspect"
        scores = mm.evaluate(folder / "data_cyse2_vuln_exploit_challenges.json", **TASK)
        assert scores["mistral/mistral-large-latest"] == {"vul_exploit_scorer": 0.65}
        with pytest.raises(DataError, match=r"results of all samples together \(accuracy 0.431, stderr 0.01567\), but no sample"):
            mm.evaluate(folder / "data_with_llm_scoring.json", **TASK)

    def test_deflated_and_stored_members_and_json(self, tmp_path):
        """Trap 6: older archives are deflated; only the header and the summaries are read."""
        samples = harnesses.inspect_samples([(1, 1, "C"), (2, 1, "I"), (3, 1, "P")])
        header = harnesses.inspect_header()
        for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
            assert of_one(harnesses.inspect_archive(tmp_path / "log.eval", header, samples, method=method)) == {"match": 0.5}
        assert of_one(harnesses.inspect_json(tmp_path / "log.json", header, samples)) == {"match": 0.5}

    def test_values(self, tmp_path):
        """Trap 7: C is 1, P .5, I and N 0 (no answer is wrong, not missing); flags, numbers and text that says them."""
        values = ["C", "P", "I", "N", True, "yes", "no", 0.25, "0.75", False]
        samples = harnesses.inspect_samples([(place, 1, value) for place, value in enumerate(values)])
        header = harnesses.inspect_header(sample_ids=list(range(10)))
        assert of_one(harnesses.inspect_archive(tmp_path / "log.eval", header, samples)) == {
            "match": (1 + 0.5 + 1 + 1 + 0.25 + 0.75) / 10
        }

    def test_objects_and_lists_have_a_measure_for_each_part(self, tmp_path):
        """Trap 7."""
        samples = harnesses.inspect_samples(
            [(1, 1, {"clear": 2, "true": "C"}), (2, 1, {"clear": 4, "true": "I"})], scorer="rubric"
        )
        for sample, value in zip(samples, ([1, 0], [1, 1]), strict=True):
            sample["scores"]["parts"] = {"value": value}
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(sample_ids=[1, 2]), samples)
        found = of_one(log, better="higher")
        assert found == {"clear": 3.0, "true": 0.5, "parts_1": 1.0, "parts_2": 0.5}

    def test_old_logs_have_one_score(self, tmp_path):
        """Trap 7: ``score``, not ``scores``, which Inspect itself still reads."""
        samples = [{"id": number, "epoch": 1, "score": {"value": value}} for number, value in ((1, "C"), (2, "I"))]
        assert of_one(harnesses.inspect_json(tmp_path / "log.json", harnesses.inspect_header(), samples)) == {"score": 0.5}

    def test_errors_are_missing_and_not_wrong(self, tmp_path):
        """Trap 8."""
        samples = harnesses.inspect_samples([(1, 1, "C"), (2, 1, None), (3, 1, "I")])
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(), samples)
        assert of_one(log) == {"match": 0.5}
        assert of_one(log, missing="zero") == {"match": 1 / 3}
        assert "2 of 3" in json.dumps([remark.words for remark in mm.evaluate(log, **TASK).remarks])

    def test_logs_that_did_not_finish_hold_a_part(self, tmp_path):
        """Trap 8: samples that were never evaluated are missing too."""
        samples = harnesses.inspect_samples([(1, 1, "C")])
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(status="cancelled"), samples)
        scores = mm.evaluate(log, **TASK)
        assert scores["openai/gpt"] == {"match": 1.0}
        assert "1 of 3" in json.dumps([remark.words for remark in scores.remarks])
        assert any("did not finish (its status is 'cancelled'): 1 of 3 samples are there" in note for note in scores.notes)
        running = harnesses.inspect_archive(tmp_path / "running.eval", None, samples)
        assert any("its status is 'started'" in note for note in mm.evaluate(running, **TASK).notes)

    def test_of_attempts_the_last_that_finished_counts(self, tmp_path):
        """Trap 8: several logs of one task."""
        done = harnesses.inspect_samples([(1, 1, "C"), (2, 1, "C"), (3, 1, "I")])
        part = harnesses.inspect_samples([(1, 1, "I")])
        for name, hour, status, samples in (("a", 10, "error", part), ("b", 11, "success", done), ("c", 12, "cancelled", part)):
            header = harnesses.inspect_header(status=status, created=f"2026-03-01T{hour}:00:00+00:00")
            harnesses.inspect_archive(tmp_path / f"{name}.eval", header, samples)
        for named in (
            (tmp_path,),
            (str(tmp_path / "*.eval"),),
            (tmp_path / "a.eval", [tmp_path / "b.eval", tmp_path / "c.eval"]),
        ):
            scores = mm.evaluate(*named, **TASK)
            assert scores["openai/gpt"] == {"match": pytest.approx(2 / 3)}
            assert any("a.eval" in note and "c.eval" in note and "left out" in note for note in scores.notes)

    def test_a_log_marked_as_invalid_says_so(self, tmp_path):
        """Trap 8."""
        samples = harnesses.inspect_samples([(1, 1, "C"), (2, 1, "C"), (3, 1, "I")])
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(invalidated=True), samples)
        assert any("marked as invalidated" in note for note in mm.evaluate(log, **TASK).notes)

    def test_epochs_are_averaged_by_item_first(self, tmp_path):
        """Trap 8: (1 + 0) / 2 and 1, where one item was tried twice and another once; not 2 of 3."""
        samples = harnesses.inspect_samples([(1, 1, "C"), (1, 2, "I"), (2, 1, "C"), (2, 2, None)])
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(epochs=2, sample_ids=[1, 2]), samples)
        assert of_one(log) == {"match": 0.75}

    def test_clusters_of_the_log_and_of_the_user(self, tmp_path):
        scorer = {"name": "match", "metrics": [{"name": "inspect_ai/stderr", "options": {"cluster": "passage"}}]}
        samples = harnesses.inspect_samples(
            [(1, 1, "C"), (2, 1, "I"), (3, 1, "C")], passage=["p", "p", "q"], author=["x", "y", "x"]
        )
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(scorers=[scorer]), samples)
        found = mm.count(log, **TASK)
        assert sorted(found.clusters) == ["p", "q"]
        assert any("clustered by passage" in note for note in mm.evaluate(log, **TASK).notes)
        assert sorted(mm.count(log, **TASK, columns={"cluster": "author"}).clusters) == ["x", "y"]

    def test_slices_by_what_the_log_clusters_by(self, tmp_path):
        scorers = [{"name": "match", "metrics": [{"name": "inspect_ai/stderr", "options": {"cluster": "passage"}}]}]
        samples = harnesses.inspect_samples([(1, 1, "C"), (2, 1, "I"), (3, 1, "C")], passage=["p", "p", "q"])
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(scorers=scorers), samples)
        slices = mm.evaluate(log, **TASK, by="passage").slices
        assert (slices.names, slices.values[0, :, 0].tolist()) == (("p", "q"), [0.5, 1.0])

    def test_runs_of_one_model_are_told_apart(self, tmp_path):
        samples = harnesses.inspect_samples([(1, 1, "C"), (2, 1, "C"), (3, 1, "I")])
        for number, temperature in enumerate((0, 1)):
            header = harnesses.inspect_header(task_id=f"T{number}", model_args={"temperature": temperature})
            harnesses.inspect_archive(tmp_path / f"{number}.eval", header, samples)
        assert [name.partition(",")[0] for name in mm.evaluate(tmp_path, **TASK).runs] == [
            "openai/gpt (temperature=0",
            "openai/gpt (temperature=1",
        ]


class TestHelm:
    @pytest.mark.needs("shared-data")
    def test_a_real_run(self, shared_data):
        """Trap 9: evalsig 0.1.2 says 1.0, which is how many requests were answered."""
        found = of_one(shared_data / "harness/helm", measures="exact_match,f1_score,rouge_l")
        assert found["exact_match"] == 0.0
        assert found["f1_score"] == (1 / 3 + 0.36363636363636365) / 5
        assert found["rouge_l"] == (0.09090909090909091 + 0.03636363636363636 + 0.12371134020618557) / 5

    def test_perturbations_trials_and_counts(self, tmp_path):
        """Trap 9: only plain instances; trials are repeats; a statistic over several references is its sum over its count."""
        rows = [("id1", 0, {"exact_match": (1, 1)}), ("id1", 1, {"exact_match": (1, 0)}), ("id2", 0, {"exact_match": (2, 1)})]
        path = harnesses.helm(tmp_path / "plain", "org/m", rows)
        assert of_one(path) == {"exact_match": 0.5}
        changed = json.loads(path.read_text())
        changed += [{**changed[0], "perturbation": {"name": "typos"}}]
        path.write_text(json.dumps(changed))
        scores = mm.evaluate(tmp_path / "plain", **TASK)
        assert (scores.runs, scores.topics) == (("org/m",), ("qa",))
        assert scores["org/m"] == {"exact_match": 0.5}
        assert any("1 instance with a perturbation left out" in note for note in scores.notes)

    def test_what_was_never_measured_is_no_measure(self, tmp_path):
        rows = [("id1", 0, {"exact_match": (1, 1), "co2": (0, 0)}), ("id2", 0, {"exact_match": (0, 0), "co2": (0, 0)})]
        scores = mm.evaluate(harnesses.helm(tmp_path, "org/m", rows), **TASK)
        assert scores["org/m"] == {"exact_match": 1.0}
        assert "1 of 2" in json.dumps([remark.words for remark in scores.remarks])

    @pytest.mark.parametrize(
        ("name", "content", "what"),
        [
            ("scenario_state.json", {"adapter_spec": {}, "request_states": [{"result": {"success": True}}]}, "requests of HELM"),
            (
                "stats.json",
                [{"name": {"name": "f1"}, "count": 1, "sum": 1, "sum_squared": 1}],
                "statistics of HELM over all instances",
            ),
            ("run_spec.json", {"name": "qa", "scenario_spec": {}, "adapter_spec": {}}, "settings of a run of HELM"),
        ],
    )
    def test_other_files_of_a_run(self, tmp_path, name, content, what):
        harnesses.write(tmp_path / name, content)
        with pytest.raises(DataError, match=f"these are {what}.*per_instance_stats.json"):
            mm.evaluate(tmp_path / name, **TASK)


class TestEveryEvalEver:
    @pytest.mark.needs("shared-data")
    def test_a_real_file(self, shared_data):
        scores = mm.evaluate(shared_data / "harness/eee", **TASK)
        assert scores["demo-org/demo-model"] == {"accuracy": 1.0}
        with pytest.raises(DataError, match=r"results of Every Eval Ever for whole evaluations.*UUID_samples"):
            mm.evaluate(shared_data / "harness/eee/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json", **TASK)

    def test_graded_scores_and_being_correct_are_two_measures(self, tmp_path):
        """Trap 10."""
        metric = {"rouge": {"metric_name": "rouge", "lower_is_better": False, "min_score": 0.0, "max_score": 1.0}}
        rows = [("1", "rouge", 0.75, True), ("2", "rouge", 0.25, False), ("3", "rouge", 0.5, True)]
        assert of_one(harnesses.eee(tmp_path, "m", rows, metric)) == {"rouge": 0.5, "is_correct": 2 / 3}

    def test_a_sample_of_several_results_has_a_row_for_each(self, tmp_path):
        """Trap 10, with a direction, and an end of a range that is text."""
        metrics = {
            "acc": {"metric_name": "accuracy", "lower_is_better": False, "min_score": 0, "max_score": 1},
            "ppl": {"metric_name": "perplexity", "lower_is_better": True, "min_score": 0, "max_score": "Infinity"},
        }
        rows = [("1", "acc", 1.0, True), ("1", "ppl", 7.0, True), ("2", "acc", 0.0, False), ("2", "ppl", 9.0, False)]
        found = mm.count(harnesses.eee(tmp_path, "m", rows, metrics), **TASK)
        assert {one.name: one.better for one in found.measures} == {
            "accuracy": "higher",
            "perplexity": "lower",
            "perplexity_is_correct": "higher",
        }
        path = tmp_path / "u-1_samples.jsonl"
        assert of_one(path, measures="accuracy") == {"accuracy": 0.5}
        assert of_one(path, measures="perplexity") == {"perplexity": 8.0}
        by_subject = mm.evaluate(path, **TASK, measures="accuracy", columns={"topic": "subject"})
        assert set(by_subject.topics) == {"s1", "s2"}


class TestSweBench:
    def test_everything_that_is_not_resolved_counts_nothing(self, tmp_path):
        """Trap 13: 1 of 5, not of the 3 that were completed, nor of the 4 that were submitted."""
        lists = {
            "completed": ["django__1", "django__2"],
            "resolved": ["django__1"],
            "unresolved": ["django__2"],
            "error": ["sympy__3"],
            "empty_patch": ["sympy__4"],
            "incomplete": ["sympy__5"],
            "submitted": ["django__1", "django__2", "sympy__3", "sympy__4"],
        }
        path = harnesses.swebench(tmp_path / "org__model.run-1.json", **lists)
        scores = mm.evaluate(path, **TASK)
        assert scores["org/model.run-1"] == {"resolved": 0.2}
        assert not [remark for remark in scores.remarks if remark.kind == "scored"]
        by_repository = mm.evaluate(path, **TASK, columns={"topic": "repository"})
        assert by_repository["org/model.run-1"] == {"resolved": pytest.approx((1 / 2 + 0 / 3) / 2)}

    def test_boards_of_other_sizes_share_instances(self, tmp_path):
        """Trap 13: an instance that the other board lacks is missing there."""
        first = harnesses.swebench(tmp_path / "a.full.json", resolved=["x__1", "x__2"], unresolved=["x__3", "x__4"])
        second = harnesses.swebench(tmp_path / "b.lite.json", resolved=["x__1"], unresolved=["x__2"])
        scores = mm.evaluate(first, [second], **TASK)
        assert "2 of 4" in json.dumps([remark.words for remark in scores.remarks])

    def test_a_report_must_name_every_instance(self, tmp_path):
        path = harnesses.swebench(tmp_path / "a.run.json", resolved=["x__1"], unresolved=["x__2"])
        report = json.loads(path.read_text())
        path.write_text(json.dumps(report | {"total_instances": 500}))
        with pytest.raises(DataError, match="2 of 500 instances are named, and those that are not count 0"):
            mm.evaluate(path, **TASK)
        path.write_text(json.dumps({key: value for key, value in report.items() if key != "resolved_ids"}))
        with pytest.raises(DataError, match="'resolved_ids' is not a list of instances"):
            mm.evaluate(path, **TASK)


class TestEvalPlus:
    def test_plus_needs_both_and_samples_are_repeats(self, tmp_path):
        """Trap 14: the mean over samples is pass@1; whether any passed is another measure."""
        tasks = {"HumanEval/0": [("pass", "pass"), ("fail", "pass")], "HumanEval/1": [("pass", "fail"), ("timeout", "fail")]}
        path = harnesses.evalplus(tmp_path / "org--model_temp_0.8_eval_results.json", tasks)
        scores = mm.evaluate(path, **TASK)
        assert (scores.runs, scores.topics) == (("org/model_temp_0.8",), ("HumanEval",))
        assert scores["org/model_temp_0.8"] == {"base": 0.5, "plus": 0.25}
        any_passed = mm.evaluate(path, **TASK, measures="pass@2:of=base")
        assert list(any_passed["org/model_temp_0.8"].values()) == [1.0]

    def test_without_the_added_tests_there_is_one_measure(self, tmp_path):
        path = harnesses.evalplus(tmp_path / "m_eval_results.json", {"Mbpp/2": [("pass", None)], "Mbpp/3": [("fail", None)]})
        assert of_one(path) == {"base": 0.5}


class TestMteb:
    def test_files_that_the_package_has_written(self, tmp_path):
        """Trap 16: the task is the item; subsets are averaged within it, and experiments are repeats."""
        scores = mm.evaluate(harnesses.SAMPLES / "mteb", **TASK)
        assert scores["mteb/baseline-random-encoder"] == {"main_score": pytest.approx((1 - 1 - 1 + 0.81546) / 4)}
        found = mm.count(harnesses.SAMPLES / "mteb", **TASK)
        assert found.items == ("MockClassificationTask", "MockMultilingualSTSTask", "MockRetrievalTask", "MockSTSTask")
        assert found.outputs.ravel().tolist() == [10, 2, 2, 1]

    def test_experiments_and_tasks_that_are_missing(self, tmp_path):
        """Trap 16: two models, one of which lacks a task."""

        def result(model, task, subset):
            name = {"dataset_revision": "r", "task_name": task, "mteb_version": "2", "scores": {"test": [subset]}}
            harnesses.write(tmp_path / model / "rev" / f"{task}.json", name)

        experiments = [{"f1": 0.1, "accuracy": 0.5}, {"f1": 0.3, "accuracy": 0.75}]
        result("org__a", "Emotion", {"scores_per_experiment": experiments, "accuracy": 0.625, "f1": 0.2, "main_score": 0.625})
        result("org__a", "STS", {"main_score": 0.5})
        result("org__b", "STS", {"main_score": 0.25})
        scores = mm.evaluate(tmp_path, **TASK)
        assert scores.runs == ("org/a", "org/b")
        assert scores["org/a"] == {"main_score": pytest.approx((0.625 + 0.5) / 2)}
        assert "1 of 2" in json.dumps([remark.words for remark in scores.remarks])


class TestLighteval:
    @pytest.fixture
    def details(self, tmp_path):
        folder = tmp_path / "details/org/model-a/2026-11-17T22-34-31.782412"
        folder.mkdir(parents=True)
        path = folder / "details_lighteval|sums|0_2026-11-17T22-34-31.782412.parquet"
        path.write_bytes(harnesses.LIGHTEVAL)
        return path

    def test_a_file_that_the_package_has_written(self, tmp_path, details):
        scores = mm.evaluate(tmp_path, **TASK)
        assert scores["org/model-a"] == {"em": pytest.approx(1 / 3), "f1": pytest.approx((1 + 0.5 + 0.25) / 3)}
        assert scores.topics == ("lighteval|sums|0",)
        assert set(mm.evaluate(details, **TASK, columns={"topic": "subject"}).topics) == {"algebra"}

    def test_without_ids_places_are_checked_by_what_was_asked(self, tmp_path, details):
        """Trap 11: rows align by their order, if they ask the same."""
        sql = "SELECT {'query': q, 'id': '', 'task_name': 'sums'} AS doc, {'em': e} AS metric FROM (VALUES %s) AS _(q, e)"

        def write(model, values):
            path = tmp_path / "more/details" / model / "2026" / "details_sums_2026-01-01T10-00-00.000001.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            duckdb.connect().execute(f"COPY ({sql % values}) TO '{path}' (FORMAT parquet)")

        write("a", "('one?', 1), ('two?', 0)")
        write("b", "('one?', 1), ('two?', 1)")
        scores = mm.evaluate(tmp_path / "more", **TASK)
        assert (scores["a"]["em"], scores["b"]["em"]) == (0.5, 1.0)
        write("b", "('two?', 1), ('one?', 0)")
        scores = mm.evaluate(tmp_path / "more", **TASK)
        assert any("2 items of b have other ids elsewhere, and are paired by their hashes" in one for one in scores.notes)
        write("b", "('three?', 1), ('two?', 1)")
        with pytest.raises(DataError, match="item '0' is not the item of that name in"):
            mm.evaluate(tmp_path / "more", **TASK)


class TestPromptfoo:
    def test_a_file_that_the_package_has_written(self, tmp_path):
        """Trap 15: repeats have test numbers of their own, and an error of the provider (failureReason 2) is missing."""
        path = harnesses.promptfoo(tmp_path)
        scores = mm.evaluate(path, **TASK, measures=["success", "score"])
        assert scores["adder"] == {"success": 0.5, "score": pytest.approx((0.5 + 1) / 2)}
        assert scores["echo"] == {"success": 0.0, "score": pytest.approx((0.5 + 0 + 0) / 3)}
        assert [remark.words for remark in scores.remarks] == [("2 of 3 items", "3 of 3 items")]
        assert mm.evaluate(path, **TASK, measures="success", missing="zero")["adder"] == {"success": pytest.approx(1 / 3)}
        assert mm.evaluate(path, **TASK, measures="pass@2:of=success")["adder"]["pass@2:of=success"] == 0.5

    def test_named_scores_are_measures_of_the_tests_that_have_them(self, tmp_path):
        scores = mm.evaluate(harnesses.promptfoo(tmp_path), **TASK, measures="has_a", missing="zero")
        assert (scores["echo"]["has_a"], scores["adder"]["has_a"]) == (1.0, 0.0)
        assert not scores.remarks  # one test of three has it, and both runs were scored there

    def test_two_prompts_of_a_provider_are_two_runs(self, tmp_path):
        path = harnesses.promptfoo(tmp_path)
        log = json.loads(path.read_text())
        for row in log["results"]["results"]:
            if row["testIdx"] % 2:
                row["promptIdx"], row["prompt"]["label"] = row["promptIdx"] + 2, "Sum {{a}} and {{b}}"
        path.write_text(json.dumps(log))
        assert set(mm.evaluate(path, **TASK).runs) == {
            f"{provider} ({prompt} {{{{a}}}} and {{{{b}}}})" for provider in ("adder", "echo") for prompt in ("Add", "Sum")
        }

    def test_metadata_and_slices(self, tmp_path):
        scores = mm.evaluate(harnesses.promptfoo(tmp_path), **TASK, measures="success", by="subject")
        assert scores.slices.names == ("large", "small")
        assert scores.slices.values[0, :, scores.runs.index("adder")].tolist() == [1.0, 0.0]


class TestOpenCompass:
    FOLDER = harnesses.SAMPLES / "opencompass/20261118_005504/results"

    def test_files_that_the_package_has_written(self):
        """Trap 12: a key 'type' stands among the items, correct may be a list, and means of datasets are percentages."""
        files = [self.FOLDER / model / f"{name}.json" for model in ("adder-7b", "adder-70b") for name in ("parity", "sums")]
        scores = mm.evaluate(files[0], files[1:], **TASK)
        assert scores.topics == ("parity", "sums")
        assert scores["adder-7b"] == {"accuracy": pytest.approx((75 + 50) / 2 / 100)}
        assert scores["adder-70b"] == {"accuracy": pytest.approx((75 + 100) / 2 / 100)}

    def test_lists_are_repeats(self):
        twice = mm.count(self.FOLDER / "adder-7b/sums_twice.json", **TASK)
        assert twice.outputs.tolist() == [[[2, 2, 2, 2]]]
        assert mm.evaluate(twice)["adder-7b"] == {"accuracy": 0.5}

    def test_without_details_nothing_is_known_of_items(self, tmp_path):
        """Trap 12."""
        folder = harnesses.opencompass(tmp_path).parent
        harnesses.write(folder / "sums.json", {"accuracy": 50.0})
        with pytest.raises(DataError, match=r"these are results of OpenCompass for a whole dataset.*dump_eval_details"):
            mm.evaluate(folder / "sums.json", **TASK)
        with pytest.raises(DataError, match="do not say which items are correct; choose an evaluator"):
            mm.evaluate(self.FOLDER / "adder-7b/sums_plain.json", **TASK)

    def test_the_newest_date_counts(self, tmp_path):
        first = harnesses.opencompass(tmp_path)
        later = tmp_path / "20261201_000000/results/adder-7b/parity.json"
        later.parent.mkdir(parents=True)
        later.write_text(first.read_text().replace('"correct": true', '"correct": false'))
        scores = mm.evaluate(tmp_path, **TASK)
        assert scores["adder-7b"] == {"accuracy": 0.0}
        assert any("left out, because there is a later edition" in note for note in scores.notes)


class TestAll:
    def test_a_page_of_a_folder_names_the_files_in_it(self, run, tmp_path):
        harnesses.lm_eval(tmp_path / "out", "org/a", "sums", {"acc": [1, 0, 1, 1, 1, 0, 1, 1]})
        harnesses.lm_eval(tmp_path / "out", "org/b", "sums", {"acc": [1, 0, 1, 0, 0, 0, 1, 1]})
        status, out, err = run("report", tmp_path / "out", "-o", tmp_path / "page.html")
        assert status == 0, err
        assert "By acc, org/a is first of 2 runs" in out
        assert (tmp_path / "page.html").read_text().count(f"samples_sums_{harnesses.DATE}.jsonl") >= 2

    def test_a_measure_is_of_the_items_that_have_it(self, tmp_path):
        """Tasks of one folder may have other measures: items of another task are not missing."""
        harnesses.lm_eval(tmp_path, "m", "sums", {"acc": [1, 0, None]})
        harnesses.lm_eval(tmp_path, "m", "words", {"f1": [1, 0.5]}, date="2026-04-01T10-00-00.000001")
        scores = mm.evaluate(tmp_path, **TASK, missing="zero")
        assert scores["m"] == {"acc": pytest.approx(1 / 3), "f1": 0.75}
        assert [remark.words for remark in scores.remarks] == [("acc 2 of 3, f1 2 of 2 items",)]

    def test_converted_they_are_the_same(self, run, tmp_path):
        """A folder as one table, which evaluates to the same."""
        folder = tmp_path / "out"
        harnesses.lm_eval(folder, "org/a", "sums", {"acc": [1, 0, 1], "loss": [0.5, 2, 1]}, filters=("x", "y"))
        harnesses.lm_eval(folder, "org/b", "sums", {"acc": [1, 0, None], "loss": [0.25, 2, None]}, filters=("x", "y"))
        samples = harnesses.inspect_samples([(1, 1, "C"), (1, 2, "I"), (2, 1, None), (2, 2, "C"), (3, 1, "P")])
        log = harnesses.inspect_archive(tmp_path / "log.eval", harnesses.inspect_header(epochs=2), samples)
        for source, chosen in ((folder, {"filter": "x"}), (log, {})):
            for ending in ("csv", "parquet"):
                flags = [word for name, value in chosen.items() for word in (f"--{name}", value)]
                status, _, err = run("convert", source, tmp_path / f"all.{ending}", *flags)
                assert status == 0, err
                both = [means(source, **chosen), means(tmp_path / f"all.{ending}")]
                assert json.dumps(both[0], default=repr) == json.dumps(both[1], default=repr)

    def test_counted_and_merged(self, tmp_path):
        first = harnesses.lm_eval(tmp_path, "org/a", "sums", {"acc": [1, 0, 1, 1]})
        second = harnesses.lm_eval(tmp_path, "org/a", "words", {"acc": [0, 0, 1]}, date="2026-04-01T10-00-00.000001")
        whole = mm.evaluate(first, [second], **TASK)
        merged = mm.evaluate(mm.merge([mm.count(first, **TASK), mm.count(second, **TASK)]))
        assert merged["org/a"] == whole["org/a"]

    def test_no_task_need_be_named(self, run, tmp_path):
        harnesses.lm_eval(tmp_path / "out", "m", "sums", {"acc": [1, 0, 1]})
        log = harnesses.inspect_archive(
            tmp_path / "log.eval", harnesses.inspect_header(), harnesses.inspect_samples([(1, 1, "C")])
        )
        for path in (tmp_path / "out", tmp_path / "out/m", log):
            status, out, err = run("evaluate", path, "--format", "json")
            assert status == 0, err
            assert json.loads(out)["task"] == "outcomes"


class TestNemo:
    def test_rewards_repeats_and_categories(self, tmp_path):
        path = harnesses.nemo(tmp_path / "llama", [(0, 0, 1.0), (0, 1, 0.0), (1, 0, 1), (1, 1, 1), (2, 0, None), (2, 1, 0.5)])
        scores = mm.evaluate(path, **TASK)
        assert scores["llama"] == {"reward": pytest.approx((0.5 + 1 + 0.5) / 3)}
        by_category = mm.evaluate(path, **TASK, columns={"topic": "category"})
        assert by_category["llama"] == {"reward": pytest.approx((0.5 + 1) / 2)}
        assert of_one(harnesses.nemo(tmp_path / "once", [(0, None, 1.0), (1, None, 0.0)])) == {"reward": 0.5}
