package dev.stowage.examples.training;

import java.util.List;

/** The host. */
final class HostPlace implements Place {

  @Override
  public String label() {
    return "host";
  }

  @Override
  public void execute(Task task) {
    List<Floats> memory = task.operands().stream().map(HostPlace::floats).toList();
    for (int item = 0; item < task.itemCount(); item++) {
      task.kernel().compute(item, task.scalars(), memory);
    }
  }

  private static Floats floats(Operand operand) {
    return new Floats(
        operand.isWritten() ? operand.tensor().mutableSegment() : operand.tensor().segment());
  }

  @Override
  public long copiesWithoutLaziness(Task task) {
    return 0; // between tasks, contents would always be on the host
  }
}
