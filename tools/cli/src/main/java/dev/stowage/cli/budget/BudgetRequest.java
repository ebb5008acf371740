package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.engine.RunShapes;
import dev.stowage.onnxbudget.EngineConstants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The service whose memory is predicted.
 *
 * @param sizes the sizes of dimensions
 * @param service the size of the service
 * @param fit the name of the size to search, if requested
 * @param isMeasured true to measure each shape
 * @param machine the machine that will run the service
 * @param profile the profile of a session that ran the model, if it is given
 */
public record BudgetRequest(
    Sizes sizes,
    ServiceSize service,
    Optional<String> fit,
    boolean isMeasured,
    Machine machine,
    Optional<Profile> profile) {

  /**
   * The sizes of the dimensions of a model.
   *
   * @param names the names of all dimensions
   * @param fixed the dimensions with one size
   * @param axes the points of the other dimensions
   * @param ranges the dimensions of {@code axes} that may have other sizes than those of the points
   */
  public record Sizes(
      List<String> names, Map<String, Long> fixed, List<SampleAxis> axes, Set<String> ranges) {}

  /**
   * A machine and its constants.
   *
   * @param cpu the processor
   * @param constants the constants of the engine
   */
  public record Machine(CpuChoice cpu, EngineConstants constants) {}

  /**
   * A profile of a session that ran the model.
   *
   * @param model the model with the profile
   * @param largest the largest run with the sizes of the request
   */
  public record Profile(ProfiledModel model, RunShapes largest) {}

  /** {@return true if a file is a model for TensorFlow Lite Micro, and not for ONNX Runtime} */
  public static boolean isMicro(String path) {
    return path.toLowerCase(Locale.ROOT).endsWith(".tflite");
  }

  /**
   * {@return sentences on the parts of this request that have no effect on a .tflite model}
   *
   * @param path the file as on the command line
   */
  public List<String> notes(String path) {
    List<String> notes = new ArrayList<>();
    if (isMicro(path) && !sizes.names.isEmpty()) {
      notes.add(InputReader.noDimensions(sizes.names));
    }
    if (isMicro(path) && isMeasured) {
      notes.add("--measure runs .onnx models only; this model is not measured");
    }
    return notes;
  }

  /** {@return this request for a .tflite model, which has no open dimensions and no engine} */
  BudgetRequest forMicro() {
    return new BudgetRequest(
        new Sizes(List.of(), Map.of(), List.of(), Set.of()),
        service,
        fit,
        false,
        machine,
        Optional.empty());
  }

  /** {@return this request for another processor} */
  public BudgetRequest withCpu(CpuChoice cpu) {
    return new BudgetRequest(
        sizes, service, fit, isMeasured, new Machine(cpu, machine.constants()), profile);
  }

  /**
   * {@return this request with a profile, whose largest run sets the open dimensions without a
   * size}
   *
   * @throws dev.stowage.plan.MalformedFileException if no run has the sizes of this request
   */
  public BudgetRequest withProfile(ProfiledModel profiled) throws IOException {
    Map<String, Long> fixed = new LinkedHashMap<>(sizes.fixed);
    Set<String> axes = sizes.axes.stream().map(SampleAxis::dimension).collect(Collectors.toSet());
    RunShapes largest = ProfileInput.largest(profiled, fixed);
    largest.dimensions().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .filter(dimension -> !axes.contains(dimension.getKey()))
        .forEach(dimension -> fixed.putIfAbsent(dimension.getKey(), dimension.getValue()));
    return new BudgetRequest(
        new Sizes(sizes.names, fixed, sizes.axes, sizes.ranges),
        service,
        fit,
        isMeasured,
        machine,
        Optional.of(new Profile(profiled, largest)));
  }
}
