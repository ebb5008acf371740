package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.OrderedOnnx;
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
import dev.stowage.cli.report.PlanComparison;
import dev.stowage.cli.report.Printed;
import dev.stowage.cli.run.Reordering;
import dev.stowage.console.ExitCode;
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
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The option --reorder of plan, rewrite and verify. */
class ReorderTest {

  private static final String LESS =
      "another order of the operators needs 808 bytes instead of 1,604 (load 808 instead of 1,604); no plan of any order needs less (proved)";

  @TempDir Path folder;

  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    model = Files.write(folder.resolve("in.onnx"), BranchesModel.bytes());
  }

  private String note(String note) {
    return "stowage: note: " + model + ": " + note + "\n";
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
                    : 4 tensors over 5 tasks, 1.570 KiB if nothing is shared

                    OFFSETS in one arena  bytes             over bound
                      OPTIMAL             1,604  1.566 KiB     optimal
                      lower bound         1,604  1.566 KiB

                    ORDER OF OPERATORS    bytes             over bound   load
                      of the file         1,604  1.566 KiB              1,604
                      best found            808      808 B     optimal    808
                      lower bound           808      808 B

                    Best: one arena of 1,604 bytes by OPTIMAL, 0.2 % less than unshared, proved optimal, in the order of the file.
                    """,
                note(LESS)));
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
            "proved: no plan can be smaller in the order of the file; stowage rewrite --reorder writes an order that needs 808 bytes\n");
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
  void plan_reorderOfTwoModels_hasRowsOfBothOrders() {
    CommandRun run =
        CommandRun.of(
            "plan", model, model, "--reorder", "--kind", "offsets", "--strategy", "OPTIMAL");
    assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(" of the file 1.566 1.566", " best found 0.789 0.789");
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
            "stowage: --reorder compares offsets plans, which --kind objects does not plan");
    assertThat(CommandRun.of("plan", model, "--reorder", "--bank", "name=a,bytes=1").err())
        .startsWith("stowage: --reorder compares orders in one arena, expected it without --bank");
    assertThat(CommandRun.of("plan", model, "--reorder", "--dim", "n=1..2").err())
        .startsWith("stowage: --reorder needs one shape, but dimensions have ranges");
  }

  @Test
  void plan_reorderWithoutTime_statesThatTheTimeIsOver() {
    assertThat(CommandRun.of("plan", model, "--reorder", "--time-limit", "0.000000001").err())
        .endsWith(
            "no better order of the operators was found: that of the file needs 1,604 bytes (load 1,604); it is not proved that no order is better, and a plan of any order needs at least 804 bytes; the search reached its time limit\n");
  }

  /** The work of the search never ends, so that it is abandoned. */
  @Test
  void compared_signalDuringTheSearch_hasThePlansWithoutAComparison() throws Exception {
    Interruption interruption = new Interruption();
    interruption.expect();
    OrderedModel endless =
        new OrderedModel() {
          @Override
          public PlanProblem problem() {
            return PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 0)));
          }

          @Override
          public OperatorGraph operators() {
            interruption.interrupt(15);
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt(); // abandoned
            }
            return OperatorGraph.of(1, List.of());
          }

          @Override
          public Optional<PlanProblem> inOrder(List<Integer> operators) {
            return Optional.empty();
          }
        };
    PlanReport report = report(endless.problem());
    Reordering reordering =
        new Reordering(
            OnnxOptions.defaults(),
            Optional.empty(),
            new OrderRunner(1, SearchOptions.defaults(), interruption));

    PlanReport compared = reordering.compared(report, Optional.of(endless));

    assertThat(compared.order()).isEmpty();
    assertThat(compared.plans()).isEqualTo(report.plans());
    assertThat(compared.notes())
        .containsExactly("interrupted before the orders of the operators were compared");
  }

  /** With scratch buffers, the head of TensorFlow Lite Micro may be smaller in such an order. */
  @Test
  void run_orderOfAPlanThatIsNotSmaller_isCarried() throws Exception {
    OrderRunner runner = new OrderRunner(1, SearchOptions.defaults(), new Interruption());
    OrderedModel ordered = OrderedOnnx.read(model, OnnxOptions.defaults());
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
    PlanInput input = (PlanInput) new InputReader(OnnxOptions.defaults()).read(model.toString());
    PlanReport planned =
        new PlanRunner(
                new PlanSelection(
                    Set.of(), true, EnumSet.of(AssignmentKind.OFFSETS), 1, search, false),
                interruption)
            .run(input, _ -> {});

    PlanReport report =
        new Reordering(
                OnnxOptions.defaults(), Optional.empty(), new OrderRunner(1, search, interruption))
            .compared(planned, Optional.of(signalled));

    assertThat(report.arePlansCut()).isFalse();
    assertThat(report.notes())
        .containsExactly(
            "interrupted: no better order of the operators was found: that of the file needs 1,604 bytes (load 1,604); it is not proved that no order is better, and a plan of any order needs at least 804 bytes; a signal ended the search");
    assertThat(Printed.of(Format.TABLE, PlanAnswer.of(report, false)))
        .endsWith("\nInterrupted: a longer search may find a better order of the operators.\n");
    assertThat(Printed.of(Format.TABLE, PlanComparison.of(List.of(report, report))))
        .endsWith(
            "\nInterrupted: a longer search may find a better order of the operators of "
                + model
                + ".\n");
    assertThat(Printed.of(Format.JSON, PlanAnswer.of(report, false)))
        .contains("\"interrupted\":true");
  }

  /** {@return the model, which a signal interrupts before the search for an order} */
  private OrderedModel signalled(Interruption interruption) throws IOException {
    OrderedOnnx ordered = OrderedOnnx.read(model, OnnxOptions.defaults());
    return new OrderedModel() {
      @Override
      public PlanProblem problem() {
        interruption.interrupt(15);
        return ordered.problem();
      }

      @Override
      public OperatorGraph operators() {
        return ordered.operators();
      }

      @Override
      public Optional<PlanProblem> inOrder(List<Integer> operators) throws IOException {
        return ordered.inOrder(operators);
      }
    };
  }

  @Test
  void rewrite_reorder_writesAModelThatNeedsLess() throws IOException {
    Path copy = folder.resolve("out.onnx");

    CommandRun run = CommandRun.of("rewrite", model, "--reorder", "--output", copy);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .endsWith(
            "\n"
                + copy
                + " has its operators in another order, whose arena is 49.6 % smaller. No plan of any order needs less (proved).\n");
    assertThat(run.err()).isEmpty();
    assertThat(copy).hasSize(Files.size(model));
    JsonNode planned =
        JsonMapper.shared().readTree(CommandRun.of("plan", copy, "--format", "json").out());
    assertThat(planned.get("lower_bounds").get("offsets").longValue()).isEqualTo(808);
    JsonNode again =
        JsonMapper.shared()
            .readTree(
                CommandRun.of(
                        "rewrite",
                        copy,
                        "--reorder",
                        "--output",
                        folder.resolve("again.onnx"),
                        "--format",
                        "json")
                    .out());
    assertThat(again.get("reordered").booleanValue()).isFalse();
    assertThat(again.get("optimal").booleanValue()).isTrue();
    assertThat(again.get("file_bytes").longValue()).isEqualTo(808);
    assertThat(again.get("head_bytes").longValue()).isEqualTo(808);
    assertThat(folder.resolve("again.onnx")).hasSameBinaryContentAs(copy);
  }

  @Test
  void rewrite_optionsOfTheOtherFormat_exit2() {
    Path copy = folder.resolve("out.onnx");
    assertThat(CommandRun.of("rewrite", model, "--output", copy).err())
        .startsWith(
            "stowage: an .onnx model can only be rewritten in another order; add --reorder");
    assertThat(CommandRun.of("rewrite", model, "--output", copy, "--reorder", "--force").err())
        .startsWith("stowage: --force has no effect on .onnx models; omit it");
    assertThat(
            CommandRun.of("rewrite", "examples/unet.tflite", "--output", copy, "--dim", "batch=1")
                .err())
        .startsWith("stowage: --dim has no effect on .tflite models; omit it");
    assertThat(
            CommandRun.of("rewrite", model, "--output", copy, "--reorder", "--dim", "n=1..2").err())
        .startsWith("stowage: --reorder needs one shape, but dimensions have ranges");
    assertThat(CommandRun.of("rewrite", model, "--output", model, "--reorder").err())
        .startsWith("stowage: --output is '" + model + "', which is the MODEL; use another name");
    assertThat(copy).doesNotExist();
  }

  @Test
  void rewrite_damagedModel_exits3WithoutAFile() throws IOException {
    byte[] bytes = BranchesModel.bytes();
    bytes[5] = 127;
    Files.write(model, bytes);
    CommandRun run =
        CommandRun.of("rewrite", model, "--reorder", "--output", folder.resolve("out.onnx"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(files()).containsExactly("in.onnx");
  }

  @Test
  void rewrite_weightsInAnotherFile_areCopiedToTheFolderOfTheCopy() throws IOException {
    Files.write(model, BranchesModel.withWeights("data/w.bin"));
    Files.createDirectory(folder.resolve("data"));
    Files.write(folder.resolve("data/w.bin"), new byte[] {1, 2, 3, 4});
    Path other = Files.createDirectory(folder.resolve("other"));
    Path copied = other.resolve("data/w.bin");

    CommandRun run =
        CommandRun.of("rewrite", model, "--reorder", "--output", other.resolve("out.onnx"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEqualTo(note("1 file with weights copied: " + copied));
    assertThat(copied).hasBinaryContent(new byte[] {1, 2, 3, 4});
    assertThat(CommandRun.of("verify", other.resolve("out.onnx")).exitCode())
        .isEqualTo(ExitCode.DONE);
    // The same content stays.
    assertThat(
            CommandRun.of("rewrite", model, "--reorder", "--output", other.resolve("more.onnx"))
                .err())
        .isEmpty();
    // Nothing to copy in the same folder.
    assertThat(
            CommandRun.of("rewrite", model, "--reorder", "--output", folder.resolve("same.onnx"))
                .err())
        .isEmpty();
  }

  @Test
  void rewrite_privateModelAndWeights_areCopiedAsPrivateFiles() throws IOException {
    Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
    Files.write(model, BranchesModel.withWeights("w.bin"));
    Path weights = Files.write(folder.resolve("w.bin"), new byte[] {1, 2, 3, 4});
    Files.setPosixFilePermissions(model, ownerOnly);
    Files.setPosixFilePermissions(weights, ownerOnly);
    Path other = Files.createDirectory(folder.resolve("other"));
    Path reordered = other.resolve("out.onnx");
    Path again = Files.createDirectory(folder.resolve("again")).resolve("out.onnx");

    assertThat(CommandRun.of("rewrite", model, "--reorder", "--output", reordered).exitCode())
        .isZero();
    assertThat(CommandRun.of("rewrite", reordered, "--reorder", "--output", again).exitCode())
        .isZero();

    for (Path copy :
        List.of(reordered, other.resolve("w.bin"), again, again.resolveSibling("w.bin"))) {
      assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(ownerOnly);
    }
  }

  @Test
  void rewrite_otherFileInThePlaceOfTheWeights_exits3WithoutAFile() throws IOException {
    Files.write(model, BranchesModel.withWeights("w.bin"));
    Files.write(folder.resolve("w.bin"), new byte[] {1, 2, 3, 4});
    Path other = Files.createDirectory(folder.resolve("other"));
    Path weights = Files.write(other.resolve("w.bin"), new byte[] {1, 2, 3, 5});

    CommandRun run =
        CommandRun.of("rewrite", model, "--reorder", "--output", other.resolve("out.onnx"));

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: "
                    + model
                    + ": the copy needs the model's weights in '"
                    + weights
                    + "', but another file has this name; move it, or use another folder\n"));
    assertThat(weights).hasBinaryContent(new byte[] {1, 2, 3, 5});
    assertThat(files()).containsExactly("in.onnx", "other", "other/w.bin", "w.bin");
  }

  @Test
  void rewrite_outputWithTheNameOfTheWeights_exits3() throws IOException {
    Files.write(model, BranchesModel.withWeights("w.bin.onnx"));
    Path weights = Files.write(folder.resolve("w.bin.onnx"), new byte[] {1, 2, 3, 4});
    Path other = Files.createDirectory(folder.resolve("other")).resolve("w.bin.onnx");
    for (Path output : List.of(weights, other)) {
      CommandRun run = CommandRun.of("rewrite", model, "--reorder", "--output", output);
      assertThat(run)
          .isEqualTo(
              new CommandRun(
                  ExitCode.BAD_INPUT,
                  "",
                  "stowage: "
                      + model
                      + ": --output is '"
                      + output
                      + "', which contains the model's weights; use another name\n"));
    }
    assertThat(weights).hasBinaryContent(new byte[] {1, 2, 3, 4});
    assertThat(files()).containsExactly("in.onnx", "other", "w.bin.onnx");
  }

  @Test
  void rewrite_missingWeights_exits3() throws IOException {
    for (String location : List.of("w.bin", "../w.bin", "/etc/hostname")) {
      Files.write(model, BranchesModel.withWeights(location));
      CommandRun run =
          CommandRun.of("rewrite", model, "--reorder", "--output", folder.resolve("out.onnx"));
      assertThat(run)
          .isEqualTo(
              new CommandRun(
                  ExitCode.BAD_INPUT,
                  "",
                  "stowage: "
                      + model
                      + ": tensor 'w': is in '"
                      + location
                      + "', expected a file in the folder of the model\n"));
    }
    assertThat(files()).containsExactly("in.onnx");
  }

  @Test
  void rewrite_outputThatIsALink_exits3IfWeightsAreInAnotherFile() throws IOException {
    Files.write(model, BranchesModel.withWeights("w.bin"));
    Files.write(folder.resolve("w.bin"), new byte[] {1, 2, 3, 4});
    Path other = Files.createDirectory(folder.resolve("other"));
    Path link = Files.createSymbolicLink(folder.resolve("link.onnx"), other.resolve("out.onnx"));
    CommandRun run = CommandRun.of("rewrite", model, "--reorder", "--output", link);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .endsWith(
            "which is a link, and the model has weights in other files; use the name of the file itself\n");
    assertThat(files()).containsExactly("in.onnx", "link.onnx", "other", "w.bin");
  }

  @Test
  void rewrite_folderOfTheWeightsThatIsAFile_exits1WithoutAFile() throws IOException {
    Files.write(model, BranchesModel.withWeights("data/w.bin"));
    Files.createDirectory(folder.resolve("data"));
    Files.write(folder.resolve("data/w.bin"), new byte[] {1, 2, 3, 4});
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.write(other.resolve("data"), new byte[0]);
    CommandRun run =
        CommandRun.of("rewrite", model, "--reorder", "--output", other.resolve("out.onnx"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("out.onnx: cannot be written: ");
    assertThat(files()).containsExactly("data", "data/w.bin", "in.onnx", "other", "other/data");
  }

  @Test
  void verify_reorder_comparesTheOutputsAndPeaksOfBothOrders() {
    CommandRun run = CommandRun.of("verify", model, "--reorder", "--format", "json");
    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(json.get("reordered").booleanValue()).isTrue();
    assertThat(json.get("file_order_bytes").longValue()).isEqualTo(1668);
    assertThat(json.get("planned_bytes").longValue()).isEqualTo(900);
    assertThat(json.get("load_before").longValue()).isEqualTo(1604);
    assertThat(json.get("load_after").longValue()).isEqualTo(808);
    assertThat(json.get("engine_peak_bytes").longValue()).isPositive();
    assertThat(json.get("reordered_engine_peak_bytes").longValue()).isPositive();
    assertThat(json.get("outputs").get(0).get("bit_identical").booleanValue()).isTrue();
  }

  @Test
  void verify_reorderAsTable_namesBothOrders() {
    CommandRun run = CommandRun.of("verify", model, "--reorder");
    assertThat(run.out())
        .contains("  ONNX Runtime's own peak, reordered ", "  planned in the order of the file ")
        .contains("  planned by OPTIMAL, reordered ")
        .endsWith(
            "With inputs of seed 1, all outputs in both orders are identical to ONNX Runtime's, bit for bit.\n");
    assertThat(CommandRun.of("verify", model, "--reorder", "--dim", "n=1..2").err())
        .startsWith("stowage: --reorder needs one shape, but --dim sets a range");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.skip(1).map(file -> folder.relativize(file).toString()).sorted().toList();
    }
  }
}
