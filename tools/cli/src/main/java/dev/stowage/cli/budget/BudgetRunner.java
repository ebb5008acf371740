package dev.stowage.cli.budget;

import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.RunSample;
import dev.stowage.budget.ServiceSample;
import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.budget.MeasuredSteps.Step;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.onnx.service.InputBounds;
import dev.stowage.onnx.service.ServiceScript;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Measures services in child processes. */
public final class BudgetRunner {

  /*
   * One process gives the curve, with the shapes ascending, because the arena of the engine keeps what
   * it has. A fresh process has the load: rounds of the largest shape, then mixed sizes, then rounds. With
   * several requests at a time, the arena splits and extends differently each time: the mixed load takes
   * longer, and another process starts with it.
   */

  private static final int LONG_WINDOW = 20;
  private static final int SHORT_WINDOW = 5;

  private static final long MIB = 1 << 20;

  /** Admission keeps an eighth of the limit. */
  private static final long ADMITTED_PARTS = 7;

  private final BudgetRequest request;
  private final Consumer<String> progress;

  /**
   * Creates a runner.
   *
   * @param progress receives the name of each measurement when it starts
   */
  public BudgetRunner(BudgetRequest request, Consumer<String> progress) {
    this.request = request;
    this.progress = progress;
  }

  /**
   * {@return the memory of a service}
   *
   * @throws MalformedFileException if the file is not a model, or the engine rejects it or a shape
   * @throws IOException if the file cannot be read, or a measurement fails
   */
  public BudgetReport run(String path) throws IOException {
    Path file = ExistingFile.regular(path);
    if (BudgetRequest.isMicro(path)) {
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
    return new Measurement(path, file, InputBounds.of(file)).report();
  }

  /** The measurement of one model. */
  private final class Measurement {

    private final String path;
    private final Path file;
    private final Map<String, Long> bounds;

    Measurement(String path, Path file, Map<String, Long> bounds) {
      this.path = path;
      this.file = file;
      this.bounds = bounds;
    }

    BudgetReport report() throws IOException {
      ServiceSize service = request.service();
      progress.accept("all shapes");
      MeasuredSteps all = steps(service, request.options(), request.shapes(), List.of());
      List<BudgetShape> curve = curve(all);
      if (curve.isEmpty()) {
        throw new MalformedFileException(
            path,
            "cannot be measured: less than a tenth of the memory of this machine was available at the smallest shape; free memory, or use a larger machine");
      }
      MeasuredSteps load =
          all.isShort() ? all : load(service, request.options(), request.shapes().getLast());
      return new BudgetReport(
          path,
          request,
          MeasuredMachine.title(),
          load,
          load.isShort() || all.isShort() ? curve : withLoad(curve, load),
          new BudgetReport.More(
              arrived(),
              load.last("inputs").map(Step::bytes).orElse(0L),
              request.tasks().hasRemedies() ? remedies(load) : List.of(),
              fit(),
              request.tasks().hasProfile() ? Optional.of(samples(all, load)) : Optional.empty()));
    }

    /** {@return the curve whose last shape has the memory of the whole load} */
    private List<BudgetShape> withLoad(List<BudgetShape> curve, MeasuredSteps load) {
      List<BudgetShape> shapes = new ArrayList<>(curve);
      BudgetShape last = shapes.removeLast();
      shapes.add(
          new BudgetShape(
              last.dimensions(),
              Math.max(
                  last.highestBytes(), BudgetReport.counted(load.highestBytes(), load, request)),
              last.nanos()));
      return shapes;
    }

    private List<BudgetShape> curve(MeasuredSteps steps) {
      List<BudgetShape> curve = new ArrayList<>();
      for (Step step : steps.all("shape")) {
        curve.add(
            new BudgetShape(
                request.shapes().get(curve.size()),
                BudgetReport.counted(step.highestBytes(), steps, request),
                step.nanos()));
      }
      return curve;
    }

    private MeasuredSteps load(
        ServiceSize service, Map<String, String> options, Map<String, Long> largest)
        throws IOException {
      progress.accept(
          service.concurrent() == 1
              ? "largest shape, then mixed sizes"
              : "rounds, then mixed sizes for up to two minutes");
      List<Map<String, Long>> mixed = request.mixed(largest);
      MeasuredSteps rounds = steps(service, options, List.of(largest), mixed);
      if (service.concurrent() == 1 || mixed.isEmpty() || rounds.isShort()) {
        return rounds;
      }
      progress.accept("mixed sizes, then rounds");
      MeasuredSteps first = steps(service, options, List.of(largest), mixed, List.of(), true);
      return first.highestBytes() > rounds.highestBytes() || first.growthBytes() > 0
          ? first
          : rounds;
    }

    private MeasuredSteps steps(
        ServiceSize service,
        Map<String, String> options,
        List<Map<String, Long>> shapes,
        List<Map<String, Long>> mixed)
        throws IOException {
      return steps(service, options, shapes, mixed, List.of(), false);
    }

    private MeasuredSteps steps(
        ServiceSize service,
        Map<String, String> options,
        List<Map<String, Long>> shapes,
        List<Map<String, Long>> mixed,
        List<Map<String, Long>> arrivals,
        boolean isMixedFirst)
        throws IOException {
      ServiceScript script =
          new ServiceScript(
              file,
              new ServiceScript.Load(
                  service.sessions(),
                  service.threads(),
                  service.concurrent(),
                  service.concurrent() == 1 ? SHORT_WINDOW : LONG_WINDOW,
                  isMixedFirst),
              options,
              bounds,
              request.inputs(),
              shapes,
              mixed,
              arrivals);
      return MeasuredProcess.run(script, request);
    }

    private OptionalLong arrived() throws IOException {
      if (request.arrivals().isEmpty()) {
        return OptionalLong.empty();
      }
      progress.accept("requests in the order of their arrival");
      MeasuredSteps steps =
          steps(
              request.service(),
              request.options(),
              List.of(),
              List.of(),
              request.arrivals(),
              false);
      return OptionalLong.of(BudgetReport.counted(steps.highestBytes(), steps, request));
    }

    private List<Remedy.Result> remedies(MeasuredSteps load) throws IOException {
      List<Remedy.Result> results = new ArrayList<>();
      List<Remedy> remedies = new ArrayList<>(Remedy.ALL);
      long runBytes = runSamples(List.of(request.shapes().getLast())).getFirst().allocatorBytes();
      MeasuredSteps alone =
          steps(
              request.service().with(request.service().sessions(), 1),
              Remedy.ALL.getLast().over(request.options()),
              List.of(request.shapes().getLast()),
              List.of());
      long loaded = Math.max(alone.last("session").map(Step::bytes).orElse(0L), Files.size(file));
      remedies.add(
          Remedy.admission(
              Math.ceilDiv((loaded + runBytes) * (ADMITTED_PARTS + 1), ADMITTED_PARTS) + 4 * MIB,
              runBytes));
      for (Remedy remedy : remedies) {
        results.add(remedy.options().isEmpty() ? result(remedy, load) : measured(remedy));
      }
      return results;
    }

    private Remedy.Result measured(Remedy remedy) throws IOException {
      progress.accept(remedy.name());
      try {
        return result(
            remedy,
            load(request.service(), remedy.over(request.options()), request.shapes().getLast()));
      } catch (MalformedFileException e) {
        return new Remedy.Result(remedy, 0, 0, 0, String.valueOf(e.getMessage()));
      }
    }

    private Remedy.Result result(Remedy remedy, MeasuredSteps steps) {
      return new Remedy.Result(
          remedy,
          BudgetReport.counted(steps.highestBytes(), steps, request),
          BudgetReport.counted(steps.keptBytes().orElse(steps.highestBytes()), steps, request),
          steps.nanos(),
          steps.isShort() ? "the machine has too little memory" : "");
    }

    private Optional<BudgetFit> fit() throws IOException {
      if (request.tasks().fit().isEmpty() || request.service().limitBytes().isEmpty()) {
        return Optional.empty();
      }
      String name = request.tasks().fit().get();
      MeasuredDimension dimension =
          request.dimensions().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow();
      Map<String, Long> largest = request.shapes().getLast();
      return Optional.of(
          BudgetFit.of(
              name,
              dimension.sizes().getFirst(),
              dimension.sizes().getLast(),
              request.service().limitBytes().getAsLong(),
              size -> {
                progress.accept(name + "=" + size);
                MeasuredSteps steps =
                    load(
                        request.service(),
                        request.options(),
                        BudgetRequest.with(largest, name, size));
                return steps.isShort()
                    ? Long.MAX_VALUE
                    : BudgetShape.limit(BudgetReport.counted(steps.highestBytes(), steps, request));
              }));
    }

    private ModelBudget samples(MeasuredSteps all, MeasuredSteps load) throws IOException {
      ServiceSize service = request.service();
      List<ServiceSample> samples = new ArrayList<>();
      if (service.sessions() > 1 || service.concurrent() > 1) {
        progress.accept("one session and one request at a time");
        ServiceSize one = service.with(1, 1);
        MeasuredSteps steps = steps(one, request.options(), request.shapes(), List.of());
        add(samples, steps, one, 0);
      }
      add(samples, all, service, load.highestBytes() - load.startBytes());
      return new ModelBudget(
          String.valueOf(file.getFileName()),
          request.engine().title(),
          MeasuredMachine.title(),
          samples,
          runSamples(request.shapes()));
    }

    private void add(
        List<ServiceSample> samples, MeasuredSteps steps, ServiceSize service, long leastOfLast) {
      List<Step> shapes = steps.all("shape");
      for (int i = 0; i < shapes.size(); i++) {
        long highest = shapes.get(i).highestBytes() - steps.startBytes();
        samples.add(
            new ServiceSample(
                values(request.shapes().get(i)),
                service.sessions(),
                service.concurrent(),
                steps.loadedBytes() - steps.startBytes(),
                i == shapes.size() - 1 ? Math.max(highest, leastOfLast) : highest));
      }
    }

    /** {@return the exact peaks of single runs in Stowage's allocator} */
    private List<RunSample> runSamples(List<Map<String, Long>> shapes) throws IOException {
      progress.accept("single runs in Stowage's allocator");
      Map<String, String> options =
          new Remedy("", Map.of(Remedy.ALLOCATOR, "peaks"), "").over(request.options());
      MeasuredSteps steps = steps(request.service().with(1, 1), options, shapes, List.of());
      List<RunSample> samples = new ArrayList<>();
      for (Step step : steps.all("shape")) {
        samples.add(new RunSample(values(shapes.get(samples.size())), step.bytes()));
      }
      return samples;
    }

    private DimensionValues values(Map<String, Long> shape) {
      Map<String, Long> positive = new LinkedHashMap<>(shape);
      positive.values().removeIf(size -> size == 0);
      return DimensionValues.of(positive);
    }
  }
}
