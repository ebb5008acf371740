package dev.stowage.onnx.allocator;

/**
 * What was allocated under a tag since the allocator was registered, as it was asked for.
 *
 * @param tag the path of tags, such as {@code resnet/weights}
 * @param allocations how many requests were answered
 * @param requestedBytesInUse what is in use now
 * @param peakRequestedBytes the most bytes in use at any time
 */
public record TagUsage(
    String tag, long allocations, long requestedBytesInUse, long peakRequestedBytes) {}
