package dev.stowage.pages;

import dev.stowage.trace.explain.TraceDiff;

/**
 * The comparison of two traces.
 *
 * @param inputA the first file as on the command line
 * @param inputB the second file as on the command line
 * @param isAtPeaks true if each trace is compared at its peak of requested bytes
 * @param diff the difference
 */
public record DiffReport(String inputA, String inputB, boolean isAtPeaks, TraceDiff diff) {}
