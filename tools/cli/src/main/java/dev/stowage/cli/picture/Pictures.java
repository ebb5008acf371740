package dev.stowage.cli.picture;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The pictures of reports. */
public final class Pictures {

  private Pictures() {}

  /**
   * {@return the picture of plans}
   *
   * <p>It has the plans of the table: the offsets plans, then the objects plans. Their bounds
   * include the bounds that searches proved. The best offsets plan is shown first.
   *
   * @param report the plans of tensors, with one or more offsets plans
   * @param capacityBytes the bytes that a plan must fit into; empty if they are not limited
   */
  public static PlanPicture of(PlanReport report, OptionalLong capacityBytes) {
    PlanInput.Tensors input = (PlanInput.Tensors) report.input();
    List<Plan.Offsets> offsets = report.shownOffsetsPlans();
    long offsetsBound = report.offsetsBoundBytes();
    long objectsBound = report.objectsBoundBytes();
    List<ShownPlan> plans = new ArrayList<>();
    for (Plan.Offsets plan : offsets) {
      plans.add(ShownPlan.of(plan.name(), plan.assignment(), offsetsBound, report.isOptimal(plan)));
    }
    for (Plan.Objects plan : report.objectsPlans()) {
      plans.add(ShownPlan.of(plan.name(), plan.assignment(), objectsBound, report.isOptimal(plan)));
    }
    return new PlanPicture(
        Printable.of(fileName(input.file())),
        input.file().tasks(),
        input.labels(),
        input.problem(),
        plans,
        offsets.indexOf(report.bestOffsets().orElseThrow()),
        capacityBytes);
  }

  private static String fileName(InputFile file) {
    return String.valueOf(Path.of(file.path()).getFileName());
  }
}
