package dev.stowage.cli.replay;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import java.util.OptionalLong;

/** The last limit that a log of XLA has. */
final class LoggedLimit implements EventConsumer {

  private OptionalLong bytes = OptionalLong.empty();

  /** {@return the most bytes of all regions; empty if the log does not have the limit} */
  OptionalLong bytes() {
    return bytes;
  }

  @Override
  public void limit(long limitBytes) {
    bytes = OptionalLong.of(limitBytes);
  }

  @Override
  public void memory(RecordedMemory memory) {
    bytes = memory.limitBytes().isPresent() ? memory.limitBytes() : bytes;
  }

  @Override
  public void accept(AllocationEvent event) {}
}
