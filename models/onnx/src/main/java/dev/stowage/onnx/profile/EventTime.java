package dev.stowage.onnx.profile;

/**
 * The time of an event.
 *
 * @param thread the thread
 * @param startMicros the start, since the start of the profile
 * @param endMicros the end
 */
public record EventTime(long thread, long startMicros, long endMicros) {}
