package dev.stowage.cli.output;

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
    header.begin("The tensor arena", plan.strategy().toString());
    header.line("/* The arena: its bytes, and a multiple of its address. */");
    header.define("ARENA_BYTES", header.number(plan.totalBytes()));
    header.define("ARENA_ALIGNMENT", header.number(HeaderText.alignment(problem)));
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
    if (input.micro().isPresent()) {
      header.text(
          BufferPlanText.of(input.micro().get(), plan, header.prefix(), HeaderText::comment));
    }
    header.end();
  }
}
