package dev.stowage.memory.synced;

/** The lifetime of device data, with the reason for its end; safe for use by many threads. */
final class Lease {

  /** The reason for the end of a lease. */
  enum End {
    WRITTEN_ELSEWHERE("the buffer was written elsewhere"),
    READ_ELSEWHERE("the buffer was copied elsewhere, and that copy would miss later writes"),
    REPLACED("the buffer wrapped other memory"),
    CLOSED("the buffer is closed");

    final String words;

    End(String words) {
      this.words = words;
    }
  }

  private volatile String ended = "";

  void end(End why) {
    ended = why.words;
  }

  boolean isLive() {
    return ended.isEmpty();
  }

  /** {@return the reason for the end; empty if the lease is live} */
  String ended() {
    return ended;
  }
}
