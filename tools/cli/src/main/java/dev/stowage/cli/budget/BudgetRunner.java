package dev.stowage.cli.budget;

import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.RunSample;
import dev.stowage.budget.ServiceSample;
import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.budget.MeasuredSteps.Step;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.onnx.service.InputBounds;
import dev.stowage.onnx.service.ServiceScript;
import dev.stowage.onnx.service.ServiceScript.Order;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Measures the service of a model in child processes. */
public final class BudgetRunner {

  /*
   * One process measures the curve. Its shapes ascend, because the arena of the engine keeps all
   * memory that it got. A fresh process has the load: rounds of the largest shape, then mixed
   * sizes, then rounds. With several requests at a time, the arena splits and extends differently
   * in each run. The mixed load then takes longer, and another process starts with it.
   */

  private static final int LONG_WINDOW = 20;
  private static final int SHORT_WINDOW = 5;

  private static final long MIB = 1 << 20;

  /** Admission keeps an eighth of the limit. */
  private static final long ADMITTED_PARTS = 7;

  private final BudgetRequest request;
  private final String path;
  private final Consumer<String> progress;
  private final Map<String, Long> largest;
  private final Map<String, Long> bounds;

  private BudgetRunner(BudgetRequest request, String path, Consumer<String> progress)
      throws IOException {
    this.request = request;
    this.path = path;
    this.progress = progress;
    largest = request.shapes().getLast();
    bounds = InputBounds.of(Path.of(path));
  }

  /**
   * {@return the memory of a service}
   *
   * @param path the model
   * @param progress receives the name of each measurement when it starts
   * @throws MalformedFileException if the file is not a model, or the engine rejects it or a shape
   * @throws IOException if the file cannot be read, or a measurement fails
   */
  public static BudgetReport run(BudgetRequest request, String path, Consumer<String> progress)
      throws IOException {
    ExistingFile.regular(path);
    if (path.toLowerCase(Locale.ROOT).endsWith(".tflite")) {
      throw new MalformedFileException(
          path,
          "is a model for TensorFlow Lite Micro, whose memory is planned: run ./stowage plan "
              + path
              + " --runtime tflm");
    }
    if (!Files.exists(Path.of("/proc/self/status"))) {
      throw new IOException("the memory of a process can be measured on Linux only");
    }
    if (!request.engine().exists()) {
      throw new MalformedFileException(
          path,
          "cannot be measured without ONNX Runtime; name that of the service with --engine VERSION");
    }
    return new BudgetRunner(request, path, progress).report();
  }

  private BudgetReport report() throws IOException {
    ServiceSize service = request.service();
    MeasuredSteps all =
        steps("all shapes", service, request.options(), request.shapes(), List.of(), Order.ROUNDS);
    List<BudgetShape> curve = curve(all);
    if (curve.isEmpty()) {
      throw new MalformedFileException(
          path,
          "cannot be measured: less than a tenth of the memory of this machine was available at the smallest shape; free memory, or use a larger machine");
    }
    MeasuredSteps load = all.isShort() ? all : load(request.options(), largest);
    if (!load.isShort()) {
      BudgetShape last = curve.removeLast();
      long highest = Math.max(last.highestBytes(), counted(load, load.highestBytes()));
      curve.add(new BudgetShape(last.dimensions(), highest));
    }
    return new BudgetReport(
        path,
        request,
        MeasuredMachine.title(),
        load,
        curve,
        new BudgetReport.More(
            arrived(),
            load.last("inputs").map(Step::bytes).orElse(0L),
            request.tasks().hasRemedies() ? remedies(load) : List.of(),
            fit(curve, load),
            request.tasks().hasProfile() ? Optional.of(samples(all, load)) : Optional.empty()));
  }

  private long counted(MeasuredSteps steps, long residentBytes) {
    return BudgetReport.counted(residentBytes, steps, request);
  }

  private List<BudgetShape> curve(MeasuredSteps steps) {
    List<BudgetShape> curve = new ArrayList<>();
    for (Step step : steps.all("shape")) {
      Map<String, Long> shape = request.shapes().get(curve.size());
      curve.add(new BudgetShape(shape, counted(steps, step.highestBytes())));
    }
    return curve;
  }

  /** {@return the steps of requests of at most a shape} */
  private MeasuredSteps load(Map<String, String> options, Map<String, Long> shape)
      throws IOException {
    ServiceSize service = request.service();
    List<Map<String, Long>> mixed = request.mixed(shape);
    List<Map<String, Long>> shapes = List.of(shape);
    MeasuredSteps rounds =
        steps("rounds, then mixed sizes", service, options, shapes, mixed, Order.ROUNDS);
    if (service.concurrent() == 1 || mixed.isEmpty() || !rounds.isSettled()) {
      return rounds;
    }
    MeasuredSteps first =
        steps("mixed sizes, then rounds", service, options, shapes, mixed, Order.MIXED);
    return first.isSettled() && first.highestBytes() <= rounds.highestBytes() ? rounds : first;
  }

  private MeasuredSteps steps(
      String title,
      ServiceSize service,
      Map<String, String> options,
      List<Map<String, Long>> shapes,
      List<Map<String, Long>> mixed,
      Order order)
      throws IOException {
    progress.accept(title);
    int window = service.concurrent() == 1 ? SHORT_WINDOW : LONG_WINDOW;
    ServiceScript.Load load =
        new ServiceScript.Load(
            service.sessions(), service.threads(), service.concurrent(), window, order);
    return MeasuredProcess.run(
        new ServiceScript(path, load, options, bounds, request.inputs(), shapes, mixed), request);
  }

  private OptionalLong arrived() throws IOException {
    List<Map<String, Long>> arrivals = request.arrivals();
    if (arrivals.isEmpty()) {
      return OptionalLong.empty();
    }
    String title = "requests in the order of their arrival";
    MeasuredSteps steps =
        steps(title, request.service(), request.options(), List.of(), arrivals, Order.ARRIVAL);
    return OptionalLong.of(counted(steps, steps.highestBytes()));
  }

  private List<Remedy.Result> remedies(MeasuredSteps load) throws IOException {
    MeasuredSteps peaks = peaks(List.of(largest));
    long runBytes = peaks.last("shape").map(Step::bytes).orElse(0L);
    long session = peaks.last("session").map(Step::bytes).orElse(0L);
    long loaded = Math.max(session, Files.size(Path.of(path))) * request.service().sessions();
    long limit = Math.ceilDiv((loaded + runBytes) * (ADMITTED_PARTS + 1), ADMITTED_PARTS) + 4 * MIB;
    List<Remedy.Result> results = new ArrayList<>();
    for (Remedy remedy : Remedy.ALL) {
      results.add(remedy.options().isEmpty() ? result(remedy, load) : measured(remedy));
    }
    results.add(measured(Remedy.admission(limit, runBytes)));
    return results;
  }

  private Remedy.Result measured(Remedy remedy) throws IOException {
    try {
      return result(remedy, load(remedy.over(request.options()), largest));
    } catch (MalformedFileException e) {
      return Remedy.Result.failed(remedy, String.valueOf(e.getMessage()));
    }
  }

  private Remedy.Result result(Remedy remedy, MeasuredSteps steps) {
    if (!steps.isSettled()) {
      return Remedy.Result.failed(
          remedy,
          steps.isShort()
              ? "the machine has too little memory"
              : "the memory is still growing after two minutes of mixed requests");
    }
    return new Remedy.Result(
        remedy,
        counted(steps, steps.highestBytes()),
        counted(steps, steps.keptBytes().orElse(steps.highestBytes())),
        steps.nanos(),
        "");
  }

  private Optional<BudgetFit> fit(List<BudgetShape> curve, MeasuredSteps load) throws IOException {
    OptionalLong limit = request.service().limitBytes();
    for (MeasuredDimension dimension : request.dimensions()) {
      String name = dimension.name();
      if (!request.tasks().fit().equals(Optional.of(name)) || limit.isEmpty()) {
        continue;
      }
      SortedMap<Long, Long> known = new TreeMap<>();
      for (BudgetShape shape : curve) {
        long size = shape.dimensions().getOrDefault(name, 0L);
        if (shape.dimensions().equals(BudgetRequest.with(largest, name, size))) {
          known.put(size, shape.limitBytes());
        }
      }
      return Optional.of(
          BudgetFit.of(
              dimension,
              limit.getAsLong(),
              known,
              size -> limitOf(size == dimension.sizes().getLast() ? load : load(name, size))));
    }
    return Optional.empty();
  }

  private MeasuredSteps load(String dimension, long size) throws IOException {
    return load(request.options(), BudgetRequest.with(largest, dimension, size));
  }

  private long limitOf(MeasuredSteps load) {
    return load.isSettled()
        ? BudgetShape.limit(counted(load, load.highestBytes()))
        : Long.MAX_VALUE;
  }

  private ModelBudget samples(MeasuredSteps all, MeasuredSteps load) throws IOException {
    ServiceSize service = request.service();
    List<Map<String, Long>> shapes = request.shapes();
    List<ServiceSample> samples = new ArrayList<>();
    if (service.sessions() > 1 || service.concurrent() > 1) {
      String title = "one session and one request at a time";
      ServiceSize one = service.with(1, 1);
      MeasuredSteps single = steps(title, one, request.options(), shapes, List.of(), Order.ROUNDS);
      samples.addAll(samples(shapes, one, single, single));
    }
    samples.addAll(samples(shapes, service, all, load));
    List<RunSample> runs = new ArrayList<>();
    for (Step step : peaks(shapes).all("shape")) {
      runs.add(new RunSample(values(shapes.get(runs.size())), step.bytes()));
    }
    return new ModelBudget(
        String.valueOf(Path.of(path).getFileName()),
        request.engine().title(),
        MeasuredMachine.title(),
        samples,
        runs);
  }

  /**
   * {@return the samples of a service}
   *
   * <p>With several requests at a time, single rounds are too low. Then only the largest shape has
   * a sample.
   *
   * @param all the steps of rounds of all shapes
   * @param load the steps of the load with the largest shape
   */
  static List<ServiceSample> samples(
      List<Map<String, Long>> shapes, ServiceSize service, MeasuredSteps all, MeasuredSteps load) {
    List<ServiceSample> samples = new ArrayList<>();
    List<Step> steps = all.all("shape");
    for (int i = 0; i < steps.size(); i++) {
      boolean isLargest = i == shapes.size() - 1;
      if (isLargest ? load.isSettled() : service.concurrent() == 1) {
        long highest = steps.get(i).highestBytes() - all.startBytes();
        long ofLoad = isLargest ? load.highestBytes() - load.startBytes() : 0;
        samples.add(
            new ServiceSample(
                values(shapes.get(i)),
                service.sessions(),
                service.concurrent(),
                all.loadedBytes() - all.startBytes(),
                Math.max(highest, ofLoad)));
      }
    }
    return samples;
  }

  /** {@return the steps of single runs in Stowage's allocator, with their exact peaks} */
  private MeasuredSteps peaks(List<Map<String, Long>> shapes) throws IOException {
    String title = "single runs in Stowage's allocator";
    ServiceSize one = request.service().with(1, 1);
    Map<String, String> options = Remedy.admission(0, 1).over(request.options());
    return steps(title, one, options, shapes, List.of(), Order.ROUNDS);
  }

  private static DimensionValues values(Map<String, Long> shape) {
    Map<String, Long> positive = new HashMap<>(shape);
    positive.values().removeIf(size -> size == 0);
    return DimensionValues.of(positive);
  }
}
