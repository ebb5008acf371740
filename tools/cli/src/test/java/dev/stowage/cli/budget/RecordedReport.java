package dev.stowage.cli.budget;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reports of recorded steps, in round numbers. */
public final class RecordedReport {

  /** Two sessions: the load at batch 16. */
  static final List<String> LOAD =
      List.of(
          "WARNING: another line",
          step("class", 99, 99, 0, 0),
          step("start", 100, 100, 0, 0),
          step("engine", 120, 120, 0, 0),
          step("session", 150, 155, 0, 0),
          step("session", 160, 165, 0, 0),
          step("shape", 400, 500, 0, 250),
          step("mixed", 480, 580, 0, 0),
          step("again", 480, 600, 0, 240),
          step("inputs", 480, 600, 3, 0),
          step("kept", 470, 600, 0, 0));

  private RecordedReport() {}

  /** {@return a line of millions of bytes and milliseconds} */
  private static String step(String name, int resident, int highest, int bytes, int millis) {
    return String.format(
        Locale.ROOT,
        "stowage-step\t%s\t%d000000\t%d000000\t%d000000\t%d000000",
        name,
        resident,
        highest,
        bytes,
        millis);
  }

  static ServiceSize service(int concurrent, OptionalLong heapBytes, OptionalLong limitBytes) {
    return new ServiceSize(2, 1, concurrent, heapBytes, limitBytes);
  }

  static BudgetRequest request(
      List<MeasuredDimension> dimensions, ServiceSize service, List<BudgetPart> jvm) {
    return new BudgetRequest(
        dimensions,
        service,
        new EngineJar(Optional.of(Path.of("onnxruntime-1.23.2.jar"))),
        Map.of("arena", "off"),
        Map.of(),
        jvm,
        List.of(),
        new BudgetRequest.Tasks(false, Optional.empty(), false));
  }

  /** {@return the report of a load, with 8 requests at a time} */
  public static BudgetReport of(OptionalLong heapBytes, OptionalLong limitBytes) {
    return of(service(8, heapBytes, limitBytes), List.of(), LOAD, Optional.empty());
  }

  /** {@return the report with one request at a time} */
  static BudgetReport ofOne(OptionalLong limitBytes) {
    return of(service(1, OptionalLong.empty(), limitBytes), List.of(), LOAD, Optional.empty());
  }

  /** {@return the report of a service whose virtual machine is that of a dump} */
  public static BudgetReport ofRunning() {
    return of(
        service(8, OptionalLong.empty(), OptionalLong.empty()),
        List.of(
            BudgetPart.heap(300_000_000),
            new BudgetPart("metaspace", 60_000_000, "-XX:MaxMetaspaceSize=%dm"),
            new BudgetPart("code cache", 40_000_000, "-XX:ReservedCodeCacheSize=%dm"),
            BudgetPart.of("other memory of the JVM", 30_000_000)),
        LOAD,
        Optional.empty());
  }

  /** {@return the report of a load that still grows} */
  public static BudgetReport growing() {
    return of(
        service(8, OptionalLong.empty(), OptionalLong.empty()),
        List.of(),
        LOAD.stream()
            .map(line -> line.contains("mixed") ? step("growing", 480, 580, 8, 0) : line)
            .toList(),
        Optional.empty());
  }

  /** {@return the report of a machine with too little memory for batch 16} */
  public static BudgetReport onSmallMachine() {
    BudgetReport whole = of(OptionalLong.empty(), OptionalLong.empty());
    return new BudgetReport(
        whole.input(),
        whole.request(),
        whole.machine(),
        MeasuredSteps.parse(LOAD.subList(0, 6), true),
        whole.curve().subList(0, 1),
        whole.more());
  }

  /** {@return the report with the largest size that fits} */
  public static BudgetReport fitting(OptionalLong largest) {
    return of(
        service(8, OptionalLong.empty(), OptionalLong.of(300_000_000)),
        List.of(),
        LOAD,
        Optional.of(new BudgetFit("batch", largest, 16, 300_000_000)));
  }

  /** {@return the report with remedies and requests in the order of their arrival} */
  public static BudgetReport withRemedies() {
    BudgetReport plain = of(OptionalLong.empty(), OptionalLong.empty());
    return new BudgetReport(
        plain.input(),
        plain.request(),
        plain.machine(),
        plain.load(),
        plain.curve(),
        new BudgetReport.More(
            OptionalLong.of(444_000_000),
            3_000_000,
            List.of(
                new Remedy.Result(Remedy.ALL.getFirst(), 500_000_000, 370_000_000, 240_000_000, ""),
                new Remedy.Result(Remedy.ALL.get(1), 200_000_000, 80_000_000, 480_000_000, ""),
                Remedy.Result.failed(Remedy.ALL.get(2), "m.onnx: cannot run: x")),
            Optional.empty(),
            Optional.empty()));
  }

  private static BudgetReport of(
      ServiceSize service, List<BudgetPart> jvm, List<String> lines, Optional<BudgetFit> fit) {
    BudgetRequest request =
        request(List.of(new MeasuredDimension("batch", List.of(8L, 16L), true)), service, jvm);
    MeasuredSteps load = MeasuredSteps.parse(lines, false);
    long added = request.processParts(load).stream().mapToLong(BudgetPart::bytes).sum();
    return new BudgetReport(
        "m.onnx",
        request,
        "Example CPU, 4 processors",
        load,
        List.of(
            new BudgetShape(Map.of("batch", 8L), 220_000_000 + added),
            new BudgetShape(Map.of("batch", 16L), 500_000_000 + added)),
        new BudgetReport.More(OptionalLong.empty(), 3_000_000, List.of(), fit, Optional.empty()));
  }
}
