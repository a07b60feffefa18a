"""Appraisal: what a text is about, how pleasant and how exciting it is, found by word lists."""

from mnemic.cognition.appraisal.appraise import appraise
from mnemic.cognition.appraisal.values import TOPIC_RELEVANCE, Appraisal, ContentFeature

__all__ = ["TOPIC_RELEVANCE", "Appraisal", "ContentFeature", "appraise"]
