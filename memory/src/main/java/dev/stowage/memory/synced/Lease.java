package dev.stowage.memory.synced;

/** How long what was handed out may be used, and why no longer; safe for use by many threads. */
final class Lease {

  /** Why a lease has ended. */
  enum End {
    WRITTEN_ELSEWHERE("the buffer was written elsewhere since"),
    READ_ELSEWHERE("the buffer was copied elsewhere since, and writes here would be missed there"),
    REPLACED("other memory was adopted since"),
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

  /** {@return why it has ended, empty if it has not} */
  String ended() {
    return ended;
  }
}
