package dev.stowage.memory.synced;

/**
 * The copies of a buffer.
 *
 * @param toDevices the number of copies to devices; those of a push count when they are queued
 * @param bytesToDevices the bytes of these copies
 * @param toHost the number of copies to the host
 * @param bytesToHost the bytes of these copies
 */
public record CopyCounts(long toDevices, long bytesToDevices, long toHost, long bytesToHost) {

  static final CopyCounts NONE = new CopyCounts(0, 0, 0, 0);

  CopyCounts plusToDevices(long bytes) {
    return new CopyCounts(toDevices + 1, bytesToDevices + bytes, toHost, bytesToHost);
  }

  CopyCounts plusToHost(long bytes) {
    return new CopyCounts(toDevices, bytesToDevices, toHost + 1, bytesToHost + bytes);
  }
}
