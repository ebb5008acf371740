package dev.stowage.memory.synced;

/**
 * What a buffer has copied.
 *
 * @param toDevices how many copies went from the host to devices; those of a push count when queued
 * @param bytesToDevices of how many bytes together
 * @param toHost how many copies went from devices to the host
 * @param bytesToHost of how many bytes together
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
