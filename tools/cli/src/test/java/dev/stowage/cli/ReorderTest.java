package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.report.AnswerPrinter.Format;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.cli.report.PlansAnswer;
import dev.stowage.cli.report.Printed;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The option --reorder of plan and rewrite. */
class ReorderTest {

  @TempDir Path folder;

  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    model = Files.write(folder.resolve("in.onnx"), BranchesModel.bytes());
  }

  @Test
  void plan_reorder_comparesBothOrders() {
    assertThat(
            CommandRun.of("plan", model, "--reorder", "--kind", "offsets", "--strategy", "OPTIMAL"))
        .isEqualTo(
            new CommandRun(
                ExitCode.DONE,
                model
                    + """
                    : One arena of 1.566 KiB (1,604 bytes) holds all 4 tensors of 5 tasks: by OPTIMAL, 0.2 % less than unshared (1.570 KiB), in the order of the file; another order of the operators needs 808 bytes.
                    Proved: no plan is smaller.

                    OFFSETS in one arena  bytes             over bound
                      OPTIMAL             1,604  1.566 KiB     optimal
                      lower bound         1,604  1.566 KiB

                    ORDER OF OPERATORS  bytes             over bound   load
                      of the file       1,604  1.566 KiB              1,604
                      best found          808      808 B     optimal    808
                      lower bound         808      808 B
                    """,
                ""));
  }

  @Test
  void plan_capacityThatOnlyAnotherOrderFits_exits4AndNamesTheOrder() {
    CommandRun run =
        CommandRun.of(
            "plan",
            model,
            "--reorder",
            "--kind",
            "offsets",
            "--strategy",
            "OPTIMAL",
            "--capacity",
            "808");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .endsWith(
            "proved: no plan can be smaller in the order of the file; stowage rewrite --reorder writes one that fits\n");
  }

  @Test
  void plan_reorderWithOutput_notesTheOrderOfThePlan() {
    Path output = folder.resolve("plan.csv");
    CommandRun run = CommandRun.of("plan", model, "--reorder", "--output", output);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .contains(
            "--output writes the plan of the order of the file; stowage rewrite --reorder writes the model in the better order\n");
  }

  @Test
  void plan_reorderAsJson_hasTheLoadsAndTheOrder() {
    CommandRun run = CommandRun.of("plan", model, "--reorder", "--format", "json");
    JsonNode order = JsonMapper.shared().readTree(run.out()).get("reorder");
    assertThat(order.get("reordered").booleanValue()).isTrue();
    assertThat(order.get("load_before").longValue()).isEqualTo(1604);
    assertThat(order.get("load_after").longValue()).isEqualTo(808);
    assertThat(order.get("bytes_before").longValue()).isEqualTo(1604);
    assertThat(order.get("bytes_after").longValue()).isEqualTo(808);
    assertThat(order.get("lower_bound_bytes").longValue()).isEqualTo(808);
    assertThat(order.get("load_proved").booleanValue()).isTrue();
    assertThat(order.get("optimal").booleanValue()).isTrue();
    assertThat(order.get("operators").valueStream().map(JsonNode::intValue).toList())
        .isIn(List.of(0, 2, 1, 3, 4), List.of(1, 3, 0, 2, 4));
  }

  @Test
  void plan_reorderOfTwoModels_hasColumnsOfBothOrders() {
    CommandRun run =
        CommandRun.of(
            "plan", model, model, "--reorder", "--kind", "offsets", "--strategy", "OPTIMAL");
    assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains("INPUT tensors best arena over bound saved other order")
        .contains(" in 4 1.566 KiB optimal 0.2 % 808 B");
  }

  @Test
  void plan_reorderOfAProblem_exits3() {
    assertThat(CommandRun.of("plan", "examples/puzzle.csv", "--reorder"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: examples/puzzle.csv: has no operators, expected a .tflite or .onnx model with --reorder\n"));
  }

  @Test
  void plan_reorderWithAnotherOption_exits2() {
    assertThat(CommandRun.of("plan", model, "--reorder", "--kind", "objects").err())
        .startsWith(
            "stowage: --reorder needs offsets, which --kind objects does not plan; omit it");
    assertThat(CommandRun.of("plan", model, "--reorder", "--bank", "name=a,bytes=1").err())
        .startsWith(
            "stowage: --reorder has no effect on the plans of several memories (--bank); omit it");
    assertThat(CommandRun.of("plan", model, "--reorder", "--dim", "n=1..2").err())
        .startsWith("stowage: --reorder needs one shape, but --dim sets a range");
  }

  /** The work of the search never ends, so that it is abandoned. */
  @Test
  void compared_signalDuringTheSearch_hasThePlansWithoutAComparison() throws Exception {
    Interruption interruption = new Interruption();
    interruption.expect();
    OrderedModel.Graph endless =
        new OrderedModel.Graph(
            PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 0))),
            () -> {
              interruption.interrupt(15);
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // abandoned
              }
              return OperatorGraph.of(1, List.of());
            });
    OrderedModel model =
        new OrderedModel(List.of(endless), false, Optional.empty(), Optional.empty());
    PlanReport report = report(endless.problem());
    OrderRunner orders = new OrderRunner(1, SearchOptions.defaults(), interruption);

    PlanReport compared = orders.compared(report, Optional.of(model));

    assertThat(compared.order()).isEmpty();
    assertThat(compared.plans()).isEqualTo(report.plans());
    assertThat(compared.notes()).containsExactly(PlanReport.INTERRUPTED);
  }

  /** With scratch buffers, the head of TensorFlow Lite Micro may be smaller in such an order. */
  @Test
  void run_orderOfAPlanThatIsNotSmaller_isCarried() throws Exception {
    OrderRunner runner = new OrderRunner(1, SearchOptions.defaults(), new Interruption());
    OrderedModel ordered = ordered();
    PlanProblem inFile = OnnxReader.read(model, OnnxOptions.defaults()).problem();
    OrderComparison smaller = runner.run(ordered, inFile, MemoryStrategy.NAIVE.planOffsets(inFile));

    OrderComparison equal = runner.run(ordered, inFile, smaller.after().assignment());

    assertThat(smaller.isReordered()).isTrue();
    assertThat(equal.isReordered()).isFalse();
    assertThat(equal.found()).isEqualTo(smaller.after());
  }

  private static PlanReport report(PlanProblem problem) throws InputRefusedException {
    PlanSelection selection =
        new PlanSelection(
            Set.of(), true, EnumSet.of(AssignmentKind.OFFSETS), 1, SearchOptions.defaults(), false);
    InputFile file = new InputFile("m.onnx", "onnx", 1, OptionalLong.empty(), List.of());
    return new PlanRunner(selection, new Interruption())
        .run(new PlanInput.Tensors(file, List.of(new RecordLabel("a", "a")), problem), _ -> {});
  }

  @Test
  void plan_interruptedReorder_hasNoComparison() {
    CommandRun run = CommandRun.interrupted("plan", model, "--reorder");
    assertThat(run.err()).isEqualTo("stowage: interrupted: not planned: " + model + "\n");
  }

  @Test
  void plan_signalDuringTheSearchForAnOrder_marksTheOrder() throws Exception {
    Interruption interruption = new Interruption();
    interruption.expect();
    OrderedModel signalled = signalled(interruption);
    SearchOptions search = SearchOptions.defaults();
    PlanInput input = ReadInput.of(model);
    PlanReport planned =
        new PlanRunner(
                new PlanSelection(
                    Set.of(), true, EnumSet.of(AssignmentKind.OFFSETS), 1, search, false),
                interruption)
            .run(input, _ -> {});

    PlanReport report =
        new OrderRunner(1, search, interruption).compared(planned, Optional.of(signalled));

    assertThat(report.notes()).containsExactly(PlanReport.INTERRUPTED);
    assertThat(
            Printed.of(Format.TABLE, PlanAnswer.of(report, Optional.empty(), OptionalLong.empty())))
        .endsWith("\nInterrupted: plans are missing or could be smaller.\n");
    PlansAnswer several = new PlansAnswer(List.of());
    several.add(report);
    several.add(report);
    assertThat(
            Printed.of(
                Format.TABLE,
                several.answers(it -> PlanAnswer.of(it, Optional.empty(), OptionalLong.empty()))))
        .endsWith("\nInterrupted: plans are missing or could be smaller.\n");
    assertThat(
            Printed.of(Format.JSON, PlanAnswer.of(report, Optional.empty(), OptionalLong.empty())))
        .contains("\"interrupted\":true");
  }

  private OrderedModel ordered() throws IOException {
    return OrderedModel.read(model.toString(), OnnxOptions.defaults(), Optional.empty())
        .orElseThrow();
  }

  /** {@return the model, which a signal interrupts before the search for an order} */
  private OrderedModel signalled(Interruption interruption) throws IOException {
    OrderedModel.Graph graph = ordered().graphs().getFirst();
    OrderedModel.Graph signalled =
        new OrderedModel.Graph(
            graph.problem(),
            () -> {
              interruption.interrupt(15);
              return graph.operators().get();
            });
    return new OrderedModel(List.of(signalled), false, Optional.empty(), Optional.empty());
  }
}
