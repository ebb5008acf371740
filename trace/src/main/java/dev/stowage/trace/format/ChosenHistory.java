package dev.stowage.trace.format;

import java.util.Optional;

/**
 * The history that is read from a trace with several.
 *
 * @param deviceIndex the index of the device
 * @param allocator the name of the allocator; empty for the allocator of the device
 */
record ChosenHistory(int deviceIndex, Optional<String> allocator) {}
