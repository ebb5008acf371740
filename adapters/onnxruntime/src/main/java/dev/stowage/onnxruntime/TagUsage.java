package dev.stowage.onnxruntime;

/**
 * The allocations with a tag since the allocator was registered, in requested bytes.
 *
 * @param tag the path of tags, such as {@code resnet/weights}
 * @param allocations the number of successful requests
 * @param requestedBytesInUse the bytes in use
 * @param peakRequestedBytes the largest number of bytes in use at any time
 */
public record TagUsage(
    String tag, long allocations, long requestedBytesInUse, long peakRequestedBytes) {}
