package dev.stowage.cli.replay;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotHistory;

/** A consumer that passes the content of a trace to two others. */
record SharedEvents(EventConsumer first, EventConsumer second) implements EventConsumer {

  @Override
  public void snapshot(SnapshotHistory history) {
    first.snapshot(history);
    second.snapshot(history);
  }

  @Override
  public void region(long address, long bytes) {
    first.region(address, bytes);
    second.region(address, bytes);
  }

  @Override
  public void memory(RecordedMemory memory) {
    first.memory(memory);
    second.memory(memory);
  }

  @Override
  public void doubt(String reason) {
    first.doubt(reason);
    second.doubt(reason);
  }

  @Override
  public void limit(long bytes) {
    first.limit(bytes);
    second.limit(bytes);
  }

  @Override
  public void program(RecordedProgram program) {
    first.program(program);
    second.program(program);
  }

  @Override
  public void address(long address, long alignment) {
    first.address(address, alignment);
    second.address(address, alignment);
  }

  @Override
  public void accept(AllocationEvent event) {
    first.accept(event);
    second.accept(event);
  }
}
