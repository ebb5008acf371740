package dev.stowage.cli.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.budget.ServiceSample;
import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The arithmetic of budgets, from recorded steps. */
class BudgetReportTest {

  private static final long MIB = 1 << 20;

  private static long sum(List<BudgetPart> parts) {
    return parts.stream().mapToLong(BudgetPart::bytes).sum();
  }

  @Test
  void parse_lines_haveTheSteps() {
    MeasuredSteps steps = MeasuredSteps.parse(RecordedReport.LOAD, false);

    assertThat(steps.startBytes()).isEqualTo(100_000_000);
    assertThat(steps.engineBytes()).isEqualTo(20_000_000);
    assertThat(steps.firstSessionBytes()).isEqualTo(30_000_000);
    assertThat(steps.furtherSessionsBytes()).isEqualTo(10_000_000);
    assertThat(steps.loadedBytes()).isEqualTo(160_000_000);
    assertThat(steps.highestBytes()).isEqualTo(600_000_000);
    assertThat(steps.keptBytes()).hasValue(470_000_000);
    assertThat(steps.growthBytes()).isZero();
    assertThat(steps.nanos()).isEqualTo(240_000_000);
  }

  /** The kernel may take pages from a process while it loads its sessions. */
  @Test
  void parse_lessResidentAfterTheLastSession_hasNoNegativeBytes() {
    MeasuredSteps steps =
        MeasuredSteps.parse(
            RecordedReport.LOAD.stream()
                .map(line -> line.replace("session\t160000000", "session\t140000000"))
                .toList(),
            false);

    assertThat(steps.furtherSessionsBytes()).isZero();
    assertThat(steps.engineBytes() + steps.firstSessionBytes() + steps.startBytes())
        .isEqualTo(140_000_000);
  }

  @Test
  void limit_highestBytes_hasAMarginInWholeMebibytes() {
    assertThat(BudgetShape.limit(0)).isEqualTo(16 * MIB);
    assertThat(BudgetShape.limit(100 * MIB)).isEqualTo(116 * MIB);
    assertThat(BudgetShape.limit(100 * MIB + 1)).isEqualTo(117 * MIB);
    assertThat(BudgetShape.limit(1000 * MIB)).isEqualTo(1050 * MIB);
  }

  @Test
  void parts_withoutTheJavaProcess_addUpToTheHighestBytes() {
    BudgetReport report = RecordedReport.of(OptionalLong.empty(), OptionalLong.empty());

    assertThat(report.highestBytes()).isEqualTo(500_000_000);
    assertThat(report.keptBytes()).hasValue(370_000_000);
    assertThat(report.limitBytes()).hasValue(BudgetShape.limit(500_000_000));
    assertThat(report.parts())
        .containsExactly(
            BudgetPart.of("engine", 20_000_000),
            BudgetPart.of("weights and session", 30_000_000),
            BudgetPart.of("further sessions", 10_000_000),
            BudgetPart.of("runs", 440_000_000));
    assertThat(sum(report.parts())).isEqualTo(report.highestBytes());
  }

  @Test
  void parts_withAHeap_addUpToTheProcess() {
    BudgetReport report = RecordedReport.of(OptionalLong.of(64_000_000), OptionalLong.empty());

    assertThat(report.highestBytes()).isEqualTo(600_000_000);
    assertThat(report.parts())
        .startsWith(BudgetPart.heap(64_000_000), BudgetPart.of("JVM without its heap", 36_000_000));
    assertThat(sum(report.parts())).isEqualTo(report.highestBytes());
  }

  @Test
  void parts_ofARunningService_haveItsVirtualMachine() {
    BudgetReport report = RecordedReport.ofRunning();

    assertThat(report.highestBytes()).isEqualTo(500_000_000 + 430_000_000);
    assertThat(report.parts()).startsWith(BudgetPart.heap(300_000_000));
    assertThat(sum(report.parts())).isEqualTo(report.highestBytes());
  }

  @Test
  void limitBytes_memoryThatGrowsOrASmallMachine_isEmpty() {
    assertThat(RecordedReport.growing().limitBytes()).isEmpty();
    assertThat(RecordedReport.onSmallMachine().limitBytes()).isEmpty();
  }

  @Test
  void fits_limitBetweenTheShapes_isUnknownForTheSmallerWithSeveralRequestsAtATime() {
    BudgetReport report = RecordedReport.of(OptionalLong.empty(), OptionalLong.of(300_000_000));

    assertThat(report.curve().stream().map(report::fits))
        .containsExactly(Optional.empty(), Optional.of(false));
    assertThat(report.fits()).isFalse();
    assertThat(report.limitBytes(report.curve().getFirst())).isEmpty();
  }

  @Test
  void fits_limitBetweenTheShapes_isTrueForTheSmallerWithOneRequestAtATime() {
    BudgetReport report = RecordedReport.ofOne(OptionalLong.of(300_000_000));

    assertThat(report.curve().stream().map(report::fits))
        .containsExactly(Optional.of(true), Optional.of(false));
    assertThat(report.limitBytes(report.curve().getFirst()))
        .hasValue(BudgetShape.limit(220_000_000));
  }

  @Test
  void fits_limitOfAllOrNoShapes_isKnown() {
    BudgetReport large = RecordedReport.of(OptionalLong.empty(), OptionalLong.of(1L << 30));
    BudgetReport small = RecordedReport.of(OptionalLong.empty(), OptionalLong.of(200_000_000));

    assertThat(large.curve().stream().map(large::fits)).containsOnly(Optional.of(true));
    assertThat(small.curve().stream().map(small::fits)).containsOnly(Optional.of(false));
    assertThat(small.fits()).isFalse();
  }

  @Test
  void samples_severalRequestsAtATime_haveTheLargestShapeOnly() {
    List<Map<String, Long>> shapes = List.of(Map.of("batch", 8L), Map.of("batch", 16L));
    List<String> lines = new ArrayList<>(RecordedReport.LOAD.subList(0, 7));
    lines.add(lines.getLast().replace("500", "550"));
    MeasuredSteps all = MeasuredSteps.parse(lines, false);
    MeasuredSteps load = MeasuredSteps.parse(RecordedReport.LOAD, false);
    ServiceSize one = RecordedReport.service(1, OptionalLong.empty(), OptionalLong.empty());

    assertThat(BudgetRunner.samples(shapes, one, all, load))
        .extracting(ServiceSample::highestBytes)
        .containsExactly(400_000_000L, 500_000_000L);
    assertThat(BudgetRunner.samples(shapes, one.with(2, 8), all, load))
        .containsExactly(
            new ServiceSample(DimensionValues.of("batch", 16), 2, 8, 60_000_000, 500_000_000));
    assertThat(BudgetRunner.samples(shapes, one.with(2, 8), all, RecordedReport.growing().load()))
        .isEmpty();
  }

  @Test
  void figures_report_haveShapesPartsMachineAndEngine() {
    BaselineEntry result =
        BudgetFigures.of(RecordedReport.of(OptionalLong.empty(), OptionalLong.empty()))
            .withOptions(new TreeMap<>(Map.of("--sessions", "2")));

    assertThat(result.options())
        .isEqualTo(
            Map.of(
                "--sessions",
                "2",
                "engine",
                "ONNX Runtime 1.23.2",
                "machine",
                "Example CPU, 4 processors"));
    assertThat(result.figures())
        .isEqualTo(
            Map.of(
                "batch=8 highest_bytes",
                220_000_000L,
                "batch=16 highest_bytes",
                500_000_000L,
                "kept_bytes",
                370_000_000L));
    assertThat(result.parts()).containsEntry("weights_and_session_bytes", 30_000_000L).hasSize(4);
  }

  @Test
  void shapes_twoDimensions_ascendByTheirProduct() {
    BudgetRequest request =
        RecordedReport.request(
            List.of(
                new BudgetRequest.MeasuredDimension("batch", List.of(1L, 64L), false),
                new BudgetRequest.MeasuredDimension("seq", List.of(16L, 128L), true)),
            RecordedReport.service(1, OptionalLong.empty(), OptionalLong.empty()),
            List.of());

    assertThat(request.shapes())
        .containsExactly(
            Map.of("batch", 1L, "seq", 16L),
            Map.of("batch", 1L, "seq", 128L),
            Map.of("batch", 64L, "seq", 16L),
            Map.of("batch", 64L, "seq", 128L));
    assertThat(request.mixed(Map.of("batch", 64L, "seq", 100L)))
        .hasSize(1000)
        .allSatisfy(shape -> {
          assertThat(shape.get("batch")).isIn(1L, 64L);
          assertThat(shape.get("seq")).isBetween(16L, 100L);
        });
  }

  @Test
  void engine_versionThatIsNotInTheRepository_namesTheLineThatFetchesIt() {
    assertThatThrownBy(() -> EngineJar.of(Optional.of("1.0.99")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("ONNX Runtime 1.0.99 is not in the local Maven repository (")
        .hasMessageEndingWith(
            "onnxruntime-1.0.99.jar); fetch it with ./mvnw dependency:get -Dartifact=com.microsoft.onnxruntime:onnxruntime:1.0.99 -Dtransitive=false");
  }

  @Test
  void engine_jar_hasTheVersionOfItsName(@TempDir Path folder) throws IOException {
    Path jar = jar(folder.resolve("onnxruntime_gpu-1.23.2.jar"), "com.microsoft.onnxruntime");

    assertThat(EngineJar.of(Optional.of(jar.toString())).title()).isEqualTo("ONNX Runtime 1.23.2");
    assertThat(EngineJar.of(Optional.empty()).title()).startsWith("ONNX Runtime 1.");
  }

  @Test
  void engine_otherJar_isRefused(@TempDir Path folder) throws IOException {
    for (Path other :
        List.of(
            jar(folder.resolve("netty-buffer-4.2.9.Final.jar"), "io.netty.buffer"),
            Files.writeString(folder.resolve("onnxruntime-1.23.2.jar"), "no jar"))) {
      assertThatThrownBy(() -> EngineJar.of(Optional.of(other.toString())))
          .isInstanceOf(MalformedFileException.class)
          .hasMessage(
              other
                  + ": is not ONNX Runtime, expected a jar with the module com.microsoft.onnxruntime, or a version such as --engine 1.23.2");
    }
  }

  private static Path jar(Path path, String module) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", module);
    new JarOutputStream(Files.newOutputStream(path), manifest).close();
    return path;
  }

  /** The page cache counts for the group, but the kernel frees it before it ends a process. */
  @Test
  void isShort_groupFullOfPageCache_isFalse(@TempDir Path folder) throws IOException {
    Path memory = folder.resolve("meminfo");
    Files.writeString(memory, "MemTotal: 1000 kB\nMemAvailable: 500 kB\n");
    Files.writeString(folder.resolve("memory.max"), "1000\n");
    Files.writeString(folder.resolve("memory.current"), "990\n");
    Path statistics = folder.resolve("memory.stat");

    Files.writeString(statistics, "anon 590\ninactive_file 400\n");
    assertThat(MeasuredMachine.isShort(memory, folder)).isFalse();
    Files.writeString(statistics, "anon 950\ninactive_file 40\n");
    assertThat(MeasuredMachine.isShort(memory, folder)).isTrue();
    Files.writeString(folder.resolve("memory.max"), "max\n");
    assertThat(MeasuredMachine.isShort(memory, folder)).isFalse();
  }
}
