package dev.stowage.memory.synced;

/**
 * The copies of a buffer.
 *
 * @param toDevices the number of copies from the host to devices; a push counts its copies when it
 *     queues them
 * @param bytesToDevices the bytes of these copies
 * @param toHost the number of copies to the host
 * @param bytesToHost the bytes of these copies
 * @param betweenDevices the number of copies from one device to another that do not go through the
 *     host
 * @param bytesBetweenDevices the bytes of these copies
 */
public record CopyCounts(
    long toDevices,
    long bytesToDevices,
    long toHost,
    long bytesToHost,
    long betweenDevices,
    long bytesBetweenDevices) {

  static final CopyCounts NONE = new CopyCounts(0, 0, 0, 0);

  /**
   * Creates counts without copies between devices.
   *
   * @param toDevices the number of copies from the host to devices
   * @param bytesToDevices the bytes of these copies
   * @param toHost the number of copies to the host
   * @param bytesToHost the bytes of these copies
   */
  public CopyCounts(long toDevices, long bytesToDevices, long toHost, long bytesToHost) {
    this(toDevices, bytesToDevices, toHost, bytesToHost, 0, 0);
  }

  CopyCounts plusToDevices(long bytes) {
    return new CopyCounts(
        toDevices + 1,
        bytesToDevices + bytes,
        toHost,
        bytesToHost,
        betweenDevices,
        bytesBetweenDevices);
  }

  CopyCounts plusToHost(long bytes) {
    return new CopyCounts(
        toDevices,
        bytesToDevices,
        toHost + 1,
        bytesToHost + bytes,
        betweenDevices,
        bytesBetweenDevices);
  }

  CopyCounts plusBetweenDevices(long bytes) {
    return new CopyCounts(
        toDevices,
        bytesToDevices,
        toHost,
        bytesToHost,
        betweenDevices + 1,
        bytesBetweenDevices + bytes);
  }
}
