package dev.stowage.cli.output;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.io.Writer;

/**
 * A writer of plans as headers for C99 and C++: the bytes and the alignment of the arena, and the
 * offset of each tensor with its name.
 */
final class PlanHeader {

  private PlanHeader() {}

  static void write(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    HeaderText header = new HeaderText(input.file(), plan.totalBytes(), out);
    PlanProblem problem = input.problem();
    int count = problem.records().size();
    header.begin("The tensor arena", plan.name());
    header.line("/* The arena: its bytes, and a multiple of its address. */");
    header.define("ARENA_BYTES", header.number(plan.totalBytes()));
    header.define("ARENA_ALIGNMENT", header.number(HeaderText.alignment(problem)));
    if (input.micro().isPresent()) {
      arena(input.micro().get(), plan, header);
    }
    header.define("TENSOR_COUNT", Integer.toString(count));
    header.line("");
    if (count > 0) {
      header.line("/* The offset of each tensor in the arena, in bytes. */");
      header.array(
          header.bytesType(),
          "OFFSETS",
          "TENSOR_COUNT",
          count,
          i -> header.number(plan.assignment().offset(i)),
          i -> HeaderText.tensor(input.labels().get(i), problem.records().get(i).bytes()));
    }
    header.end();
  }

  /** Writes the bytes of the whole arena of TensorFlow Lite Micro. The plan is only its head. */
  private static void arena(MicroMemory memory, Plan.Offsets plan, HeaderText header)
      throws IOException {
    header.line("");
    header.line(
        "/* The arena of TensorFlow Lite Micro with its tail"
            + ", an estimate"
            + ": with this plan, and for the model as it is. */");
    if (memory.size(plan.assignment()).isPresent()) {
      header.define(
          "TENSOR_ARENA_SIZE",
          header.number(
              memory.size(plan.assignment()).get().withHead(plan.totalBytes()).arenaBytes()));
    }
    header.define("TENSOR_ARENA_SIZE_AS_IT_IS", header.number(memory.fileSize().arenaBytes()));
    header.line("");
  }
}
