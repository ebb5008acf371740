package dev.stowage.cli.replay;

/**
 * How large a region was.
 *
 * @param index which one, counted from 0 in the order of their addresses
 * @param bytes its size over the events, 0 where it is not held
 */
public record RegionExtent(int index, StepCurve bytes) {}
