"""Judges on trial: may an LLM, or any other judge, stand in for one of the people?"""
