package dev.stowage.examples.serving;

/** The bytes of one way to allocate caches, at each second. */
final class Usage {

  private final String name;
  private long secondCount;
  private long nowBytes;
  private long sumBytes;
  private long peakBytes;
  private int requestCount;
  private int maxRequestCount;

  Usage(String name) {
    this.name = name;
  }

  /** Adds the bytes of a request at the current second. */
  void add(long bytes) {
    nowBytes += bytes;
    requestCount++;
  }

  void endSecond() {
    secondCount++;
    sumBytes += nowBytes;
    peakBytes = Math.max(peakBytes, nowBytes);
    maxRequestCount = Math.max(maxRequestCount, requestCount);
    nowBytes = 0;
    requestCount = 0;
  }

  String name() {
    return name;
  }

  long sumBytes() {
    return sumBytes;
  }

  long peakBytes() {
    return peakBytes;
  }

  double meanBytes() {
    return (double) sumBytes / secondCount;
  }

  int maxRequestCount() {
    return maxRequestCount;
  }
}
