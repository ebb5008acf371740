package dev.stowage.onnx.allocator;

/**
 * What was allocated under a tag since the allocator was registered.
 *
 * @param tag the path of tags, such as {@code resnet/weights}
 * @param allocations how many requests were answered
 * @param bytesInUse what is in use now, rounding and unsplit rests included
 * @param peakBytesInUse the most bytes in use at any time
 */
public record TagUsage(String tag, long allocations, long bytesInUse, long peakBytesInUse) {

  TagUsage plus(long bytes) {
    long sum = bytesInUse + bytes;
    return new TagUsage(tag, allocations + 1, sum, Math.max(peakBytesInUse, sum));
  }

  TagUsage minus(long bytes) {
    return new TagUsage(tag, allocations, bytesInUse - bytes, peakBytesInUse);
  }
}
