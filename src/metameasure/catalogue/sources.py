"""The publications that measures come from, each cited once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Citation:
    """A publication, or a place in it."""

    short: str
    full: str
    where: str = ""

    @classmethod
    def of(cls, text: str) -> Citation:
        """``You (2026). A Paper.`` is the paper that is called ``You (2026)``; any other text is called what it says."""
        named = re.fullmatch(r"(.+?\([^)]*\))[.,:;]?\s+(.+)", text, re.DOTALL)
        return cls(named[1], named[2]) if named else cls(text, text)

    def at(self, where: str) -> Citation:
        """The same publication with the place in it: ``SAKAI_2021.at("Eq. 2")``."""
        return replace(self, where=where)

    def __str__(self) -> str:
        return f"{self.short}, {self.where}" if self.where else self.short


Source = Citation  # the name that it had, which plugins import


def sources(citations: str | Citation | Iterable[str | Citation]) -> tuple[Citation, ...]:
    """One source or several, as objects or as text."""
    several = (citations,) if isinstance(citations, str | Citation) else citations
    return tuple(one if isinstance(one, Citation) else Citation.of(one) for one in several)


SAKAI_2021 = Citation(
    "Sakai (2021)",
    "Tetsuya Sakai. Evaluating Evaluation Measures for Ordinal Classification and Ordinal Quantification. ACL 2021.",
)
DAGAN_2005 = Citation(
    "Dagan et al. (2005)",
    "Ido Dagan, Oren Glickman, Bernardo Magnini. The PASCAL Recognising Textual Entailment Challenge. RTE-1, 2005.",
)
BERGMAIR_2009 = Citation("Bergmair (2009)", "Richard Bergmair. A Proposal on Evaluation Measures for RTE. 2009.")
MILLER_1955 = Citation(
    "Miller (1955)",
    "George A. Miller. Note on the Bias of Information Estimates. In Henry Quastler (ed.), Information Theory in Psychology. "
    "Free Press, 1955.",
)
AMIGO_2020 = Citation(
    "Amigó et al. (2020)",
    "Enrique Amigó, Julio Gonzalo, Stefano Mizzaro, Jorge Carrillo-de-Albornoz. An Effectiveness Metric for Ordinal "
    "Classification: Formal Properties and Experimental Results. ACL 2020.",
)
AMIGO_2013 = Citation(
    "Amigó et al. (2013)",
    "Enrique Amigó, Julio Gonzalo, Felisa Verdejo. A General Evaluation Measure for Document Organization Tasks. SIGIR 2013.",
)
BACCIANELLA_2009 = Citation(
    "Baccianella et al. (2009)",
    "Stefano Baccianella, Andrea Esuli, Fabrizio Sebastiani. Evaluation Measures for Ordinal Regression. ISDA 2009.",
)
GAUDETTE_2009 = Citation(
    "Gaudette and Japkowicz (2009)",
    "Lisa Gaudette, Nathalie Japkowicz. Evaluation Methods for Ordinal Classification. Canadian AI 2009.",
)
OPITZ_2019 = Citation("Opitz and Burst (2019)", "Juri Opitz, Sebastian Burst. Macro F1 and Macro F1. arXiv 1911.03347, 2019.")
COHEN_1960 = Citation(
    "Cohen (1960)",
    "Jacob Cohen. A Coefficient of Agreement for Nominal Scales. Educational and Psychological Measurement 20(1), 1960.",
)
COHEN_1968 = Citation(
    "Cohen (1968)",
    "Jacob Cohen. Weighted Kappa: Nominal Scale Agreement with Provision for Scaled Disagreement or Partial Credit. "
    "Psychological Bulletin 70(4), 1968.",
)
KRIPPENDORFF_2018 = Citation(
    "Krippendorff (2018)", "Klaus Krippendorff. Content Analysis: An Introduction to Its Methodology. 4th edition, Sage, 2018."
)
CARDOSO_2011 = Citation(
    "Cardoso and Sousa (2011)",
    "Jaime S. Cardoso, Ricardo Sousa. Measuring the Performance of Ordinal Classification. International Journal of Pattern "
    "Recognition and Artificial Intelligence 25(8), 2011.",
)
RENNIE_2005 = Citation(
    "Rennie and Srebro (2005)",
    "Jason Rennie, Nathan Srebro. Loss Functions for Preference Levels: Regression with Discrete Ordered Labels. IJCAI "
    "Workshop on Advances in Preference Handling, 2005.",
)
GHOSH_2015 = Citation(
    "Ghosh et al. (2015)",
    "Aniruddha Ghosh et al. SemEval-2015 Task 11: Sentiment Analysis of Figurative Language in Twitter. SemEval 2015.",
)
ROSENTHAL_2014 = Citation(
    "Rosenthal et al. (2014)",
    "Sara Rosenthal, Alan Ritter, Preslav Nakov, Veselin Stoyanov. SemEval-2014 Task 9: Sentiment Analysis in Twitter. "
    "SemEval 2014.",
)
AVRAMIDIS_2013 = Citation(
    "Avramidis (2013)",
    "Eleftherios Avramidis. RankEval: Open Tool for Evaluation of Machine-Learned Ranking. The Prague Bulletin of Mathematical "
    "Linguistics 100, 2013.",
)
CALLISON_BURCH_2008 = Citation(
    "Callison-Burch et al. (2008)",
    "Chris Callison-Burch, Cameron Fordyce, Philipp Koehn, Christof Monz, Josh Schroeder. Further Meta-Evaluation of Machine "
    "Translation. WMT 2008.",
)
CALLISON_BURCH_2012 = Citation(
    "Callison-Burch et al. (2012)",
    "Chris Callison-Burch, Philipp Koehn, Christof Monz, Matt Post, Radu Soricut, Lucia Specia. Findings of the 2012 Workshop on "
    "Statistical Machine Translation. WMT 2012.",
)
MACHACEK_2013 = Citation(
    "Macháček and Bojar (2013)", "Matouš Macháček, Ondřej Bojar. Results of the WMT13 Metrics Shared Task. WMT 2013."
)
MACHACEK_2014 = Citation(
    "Macháček and Bojar (2014)", "Matouš Macháček, Ondřej Bojar. Results of the WMT14 Metrics Shared Task. WMT 2014."
)
MA_2018 = Citation(
    "Ma et al. (2018)",
    "Qingsong Ma, Ondřej Bojar, Yvette Graham. Results of the WMT18 Metrics Shared Task: Both Characters and Embeddings Achieve "
    "Good Performance. WMT 2018.",
)
DEUTSCH_2023 = Citation(
    "Deutsch et al. (2023)",
    "Daniel Deutsch, George Foster, Markus Freitag. Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie "
    "Calibration. EMNLP 2023.",
)
JARVELIN_2002 = Citation(
    "Järvelin and Kekäläinen (2002)",
    "Kalervo Järvelin, Jaana Kekäläinen. Cumulated Gain-Based Evaluation of IR Techniques. ACM Transactions on Information "
    "Systems 20(4), 2002.",
)
CHAPELLE_2009 = Citation(
    "Chapelle et al. (2009)",
    "Olivier Chapelle, Donald Metzler, Ya Zhang, Pierre Grinspan. Expected Reciprocal Rank for Graded Relevance. CIKM 2009.",
)
VOORHEES_1999 = Citation("Voorhees (1999)", "Ellen M. Voorhees. The TREC-8 Question Answering Track Report. TREC 1999.")
MCSHERRY_2008 = Citation(
    "McSherry and Najork (2008)",
    "Frank McSherry, Marc Najork. Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied "
    "Scores. ECIR 2008.",
)
KENDALL_1938 = Citation("Kendall (1938)", "Maurice G. Kendall. A New Measure of Rank Correlation. Biometrika 30(1-2), 1938.")
KENDALL_1945 = Citation(
    "Kendall (1945)", "Maurice G. Kendall. The Treatment of Ties in Ranking Problems. Biometrika 33(3), 1945."
)
GOODMAN_1954 = Citation(
    "Goodman and Kruskal (1954)",
    "Leo A. Goodman, William H. Kruskal. Measures of Association for Cross Classifications. JASA 49(268), 1954.",
)
SPEARMAN_1904 = Citation(
    "Spearman (1904)",
    "Charles Spearman. The Proof and Measurement of Association between Two Things. American Journal of Psychology 15(1), 1904.",
)
MATTHEWS_1975 = Citation(
    "Matthews (1975)",
    "Brian W. Matthews. Comparison of the Predicted and Observed Secondary Structure of T4 Phage Lysozyme. Biochimica et "
    "Biophysica Acta 405(2), 1975.",
)
GORODKIN_2004 = Citation(
    "Gorodkin (2004)",
    "Jan Gorodkin. Comparing Two K-Category Assignments by a K-Category Correlation Coefficient. Computational Biology and "
    "Chemistry 28(5-6), 2004.",
)
PEDREGOSA_2011 = Citation(
    "Pedregosa et al. (2011)",
    "Fabian Pedregosa et al. Scikit-learn: Machine Learning in Python. Journal of Machine Learning Research 12, 2011.",
)
HYNDMAN_2006 = Citation(
    "Hyndman and Koehler (2006)",
    "Rob J. Hyndman, Anne B. Koehler. Another Look at Measures of Forecast Accuracy. International Journal of Forecasting 22(4), "
    "2006.",
)
AMIGO_2009 = Citation(
    "Amigó et al. (2009)",
    "Enrique Amigó, Julio Gonzalo, Javier Artiles, Felisa Verdejo. A Comparison of Extrinsic Clustering Evaluation Metrics "
    "Based on Formal Constraints. Information Retrieval 12(4), 2009.",
)
SAKAI_2004 = Citation(
    "Sakai (2004)", "Tetsuya Sakai. Ranking the NTCIR Systems Based on Multigrade Relevance. AIRS 2004, LNCS 3411, 2005."
)
SAKAI_SONG_2011 = Citation(
    "Sakai and Song (2011)",
    "Tetsuya Sakai, Ruihua Song. Evaluating Diversified Search Results Using Per-intent Graded Relevance. SIGIR 2011.",
)
THOMPSON_2024 = Citation(
    "Thompson et al. (2024)",
    "Brian Thompson, Nitika Mathur, Daniel Deutsch, Huda Khayrallah. Improving Statistical Significance in Human Evaluation of "
    "Automatic Metrics via Soft Pairwise Accuracy. WMT 2024.",
)
FREITAG_2023 = Citation(
    "Freitag et al. (2023)",
    "Markus Freitag et al. Results of WMT23 Metrics Shared Task: Metrics Might Be Guilty but References Are Not Innocent. WMT "
    "2023.",
)
SAKAI_LQ_2021 = Citation(
    "Sakai (LQ 2021)", "Tetsuya Sakai. A Closer Look at Evaluation Measures for Ordinal Quantification. LQ 2021 (CIKM workshops)."
)
SEBASTIANI_2020 = Citation(
    "Sebastiani (2020)",
    "Fabrizio Sebastiani. Evaluation Measures for Quantification: An Axiomatic Approach. Information Retrieval Journal 23(3), "
    "2020.",
)
FLEISS_1971 = Citation(
    "Fleiss (1971)", "Joseph L. Fleiss. Measuring Nominal Scale Agreement among Many Raters. Psychological Bulletin 76(5), 1971."
)
CONGER_1980 = Citation(
    "Conger (1980)",
    "Anthony J. Conger. Integration and Generalization of Kappas for Multiple Raters. Psychological Bulletin 88(2), 1980.",
)
BRENNAN_1981 = Citation(
    "Brennan and Prediger (1981)",
    "Robert L. Brennan, Dale J. Prediger. Coefficient Kappa: Some Uses, Misuses, and Alternatives. Educational and Psychological "
    "Measurement 41(3), 1981.",
)
GWET_2008 = Citation(
    "Gwet (2008)",
    "Kilem Li Gwet. Computing Inter-Rater Reliability and Its Variance in the Presence of High Agreement. British Journal of "
    "Mathematical and Statistical Psychology 61(1), 2008.",
)
GWET_2014 = Citation("Gwet (2014)", "Kilem L. Gwet. Handbook of Inter-Rater Reliability. 4th edition, Advanced Analytics, 2014.")
SHROUT_1979 = Citation(
    "Shrout and Fleiss (1979)",
    "Patrick E. Shrout, Joseph L. Fleiss. Intraclass Correlations: Uses in Assessing Rater Reliability. Psychological Bulletin "
    "86(2), 1979.",
)
KENDALL_1939 = Citation(
    "Kendall and Babington Smith (1939)",
    "Maurice G. Kendall, Bernard Babington Smith. The Problem of m Rankings. Annals of Mathematical Statistics 10(3), 1939.",
)
EPSTEIN_1969 = Citation(
    "Epstein (1969)",
    "Edward S. Epstein. A Scoring System for Probability Forecasts of Ranked Categories. Journal of Applied Meteorology "
    "8(6), 1969.",
)
LEONARDELLI_2025 = Citation(
    "Leonardelli et al. (2025)",
    "Elisa Leonardelli et al. LeWiDi-2025 at NLPerspectives: The Third Edition of the Learning with Disagreements Shared Task. "
    "NLPerspectives 2025.",
)
VAN_RIJSBERGEN_1979 = Citation(
    "van Rijsbergen (1979)", "C. J. van Rijsbergen. Information Retrieval. 2nd edition, Butterworths, 1979, Chapter 7."
)
JACCARD_1912 = Citation(
    "Jaccard (1912)", "Paul Jaccard. The Distribution of the Flora in the Alpine Zone. New Phytologist 11(2), 1912."
)
ROSENBERG_2007 = Citation(
    "Rosenberg and Hirschberg (2007)",
    "Andrew Rosenberg, Julia Hirschberg. V-Measure: A Conditional Entropy-Based External Cluster Evaluation Measure. EMNLP-CoNLL "
    "2007.",
)
STREHL_2002 = Citation(
    "Strehl and Ghosh (2002)",
    "Alexander Strehl, Joydeep Ghosh. Cluster Ensembles: A Knowledge Reuse Framework for Combining Multiple Partitions. Journal "
    "of Machine Learning Research 3, 2002.",
)
VINH_2010 = Citation(
    "Vinh et al. (2010)",
    "Nguyen Xuan Vinh, Julien Epps, James Bailey. Information Theoretic Measures for Clusterings Comparison: Variants, "
    "Properties, Normalization and Correction for Chance. Journal of Machine Learning Research 11, 2010.",
)
RAND_1971 = Citation(
    "Rand (1971)", "William M. Rand. Objective Criteria for the Evaluation of Clustering Methods. JASA 66(336), 1971."
)
HUBERT_1985 = Citation(
    "Hubert and Arabie (1985)", "Lawrence Hubert, Phipps Arabie. Comparing Partitions. Journal of Classification 2(1), 1985."
)
FOWLKES_1983 = Citation(
    "Fowlkes and Mallows (1983)",
    "Edward B. Fowlkes, Colin L. Mallows. A Method for Comparing Two Hierarchical Clusterings. JASA 78(383), 1983.",
)
AMIGO_2022 = Citation(
    "Amigó and Delgado (2022)",
    "Enrique Amigó, Agustín D. Delgado. Evaluating Extreme Hierarchical Multi-label Classification. ACL 2022.",
)
ROBERTSON_2006 = Citation("Robertson (2006)", "Stephen Robertson. On GMAP: and Other Transformations. CIKM 2006.")
BUCKLEY_2000 = Citation(
    "Buckley and Voorhees (2000)", "Chris Buckley, Ellen M. Voorhees. Evaluating Evaluation Measure Stability. SIGIR 2000."
)
BUCKLEY_2004 = Citation(
    "Buckley and Voorhees (2004)",
    "Chris Buckley, Ellen M. Voorhees. Retrieval Evaluation with Incomplete Information. SIGIR 2004.",
)
YILMAZ_2008 = Citation(
    "Yilmaz et al. (2008)",
    "Emine Yilmaz, Javed A. Aslam and Stephen Robertson. A New Rank Correlation Coefficient for Information Retrieval. SIGIR "
    "2008.",
)
URBANO_2017 = Citation(
    "Urbano and Marrero (2017)",
    "Julián Urbano and Mónica Marrero. The Treatment of Ties in AP Correlation. ICTIR 2017.",
)
WEBBER_2010 = Citation(
    "Webber et al. (2010)",
    "William Webber, Alistair Moffat and Justin Zobel. A Similarity Measure for Indefinite Rankings. ACM Transactions on "
    "Information Systems 28(4), 2010.",
)
YILMAZ_2006 = Citation(
    "Yilmaz and Aslam (2006)",
    "Emine Yilmaz, Javed A. Aslam. Estimating Average Precision with Incomplete and Imperfect Judgments. CIKM 2006.",
)
MOFFAT_2008 = Citation(
    "Moffat and Zobel (2008)",
    "Alistair Moffat, Justin Zobel. Rank-Biased Precision for Measurement of Retrieval Effectiveness. ACM Transactions on "
    "Information Systems 27(1), 2008.",
)
BRIER_1950 = Citation(
    "Brier (1950)",
    "Glenn W. Brier. Verification of Forecasts Expressed in Terms of Probability. Monthly Weather Review 78(1), 1950.",
)
GOOD_1952 = Citation("Good (1952)", "I. J. Good. Rational Decisions. Journal of the Royal Statistical Society B 14(1), 1952.")
HANLEY_1982 = Citation(
    "Hanley and McNeil (1982)",
    "James A. Hanley and Barbara J. McNeil. The Meaning and Use of the Area under a Receiver Operating Characteristic (ROC) "
    "Curve. Radiology 143(1), 1982.",
)
DELONG_1988 = Citation(
    "DeLong et al. (1988)",
    "Elizabeth R. DeLong, David M. DeLong and Daniel L. Clarke-Pearson. Comparing the Areas under Two or More Correlated "
    "Receiver Operating Characteristic Curves: A Nonparametric Approach. Biometrics 44(3), 1988.",
)
HAND_2001 = Citation(
    "Hand and Till (2001)",
    "David J. Hand and Robert J. Till. A Simple Generalisation of the Area under the ROC Curve for Multiple Class Classification "
    "Problems. Machine Learning 45(2), 2001.",
)
GUO_2017 = Citation(
    "Guo et al. (2017)",
    "Chuan Guo, Geoff Pleiss, Yu Sun and Kilian Q. Weinberger. On Calibration of Modern Neural Networks. ICML 2017.",
)
NAEINI_2015 = Citation(
    "Naeini et al. (2015)",
    "Mahdi Pakdaman Naeini, Gregory F. Cooper and Milos Hauskrecht. Obtaining Well Calibrated Probabilities Using Bayesian "
    "Binning. AAAI 2015.",
)
BROECKER_2012 = Citation(
    "Bröcker (2012)",
    "Jochen Bröcker. Estimating Reliability and Resolution of Probability Forecasts through Decomposition of the Empirical "
    "Score. Climate Dynamics 39(3), 2012.",
)
KUMAR_2019 = Citation(
    "Kumar et al. (2019)",
    "Ananya Kumar, Percy Liang and Tengyu Ma. Verified Uncertainty Calibration. NeurIPS 2019.",
)
GNEITING_2007 = Citation(
    "Gneiting and Raftery (2007)",
    "Tilmann Gneiting and Adrian E. Raftery. Strictly Proper Scoring Rules, Prediction, and Estimation. Journal of the American "
    "Statistical Association 102(477), 2007.",
)
GODBOLE_2004 = Citation(
    "Godbole and Sarawagi (2004)",
    "Shantanu Godbole and Sunita Sarawagi. Discriminative Methods for Multi-labeled Classification. PAKDD 2004.",
)
SCHAPIRE_2000 = Citation(
    "Schapire and Singer (2000)",
    "Robert E. Schapire and Yoram Singer. BoosTexter: A Boosting-based System for Text Categorization. Machine Learning 39(2), "
    "2000.",
)
TSOUMAKAS_2010 = Citation(
    "Tsoumakas et al. (2010)",
    "Grigorios Tsoumakas, Ioannis Katakis and Ioannis Vlahavas. Mining Multi-label Data. Data Mining and Knowledge Discovery "
    "Handbook, 2010.",
)
