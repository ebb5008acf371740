package dev.stowage.memory.pool;

import java.util.Optional;

/**
 * The result of a close with a timeout.
 *
 * @param obstacle the reason why the pool is open again after the timeout, with the names of the
 *     arenas or streams; empty if the pool is closed
 */
public record CloseResult(Optional<String> obstacle) {

  /** {@return true if the pool is closed} */
  public boolean isClosed() {
    return obstacle.isEmpty();
  }
}
