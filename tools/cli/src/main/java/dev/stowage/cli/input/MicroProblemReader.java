package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.micro.EspNn;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.micro.MicroTensor;
import dev.stowage.tflite.micro.PlacedTensors;
import dev.stowage.tflite.micro.ScratchOperators;
import dev.stowage.tflite.offline.OfflinePlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A reader of models as the tensor arenas of TensorFlow Lite Micro, and of their offline plans. */
public final class MicroProblemReader {

  /** The number of tensors and operators that a note names. */
  private static final int NAMED_COUNT = 3;

  private static final String REMEDY =
      "; --kernels or --scratch FILE adds the sizes, --no-scratch states that there are none";

  private MicroProblemReader() {}

  /**
   * {@return the buffers of an arena that a plan places, as records}
   *
   * @throws MalformedFileException if the file with the scratch buffers violates its format, or
   *     names an operator that the model does not have
   * @throws IOException if that file cannot be read
   */
  static PlanInput.Tensors read(
      String path, MicroArena model, MicroOptions options, List<String> moreNotes)
      throws IOException {
    MicroMemory memory = memory(path, model, options);
    MicroArena arena = memory.arena();
    List<RecordLabel> labels = new ArrayList<>();
    for (MicroTensor buffer : arena.plannedBuffers()) {
      String id =
          buffer.id().isScratch()
              ? "scratch" + (labels.size() - arena.plannedTensors().size())
              : Integer.toString(buffer.id().planIndex());
      labels.add(ModelLabels.record(id, buffer));
    }
    List<String> notes = notes(memory);
    notes.addAll(moreNotes);
    InputFile file =
        new InputFile(
            path,
            "tflite",
            arena.scopeLabels().size(),
            ModelLabels.scopes(arena.scopeLabels()),
            OptionalLong.empty(),
            notes);
    return new PlanInput.Tensors(file, labels, arena.problem()).withMicro(Optional.of(memory));
  }

  /**
   * {@return the memory of a model with the kernels of the options}
   *
   * @throws MalformedFileException if the options contradict the model
   * @throws IOException if the file with the scratch buffers cannot be read
   */
  public static MicroMemory memory(String path, MicroArena model, MicroOptions options)
      throws IOException {
    return new MicroMemory(withScratch(path, model, options), options);
  }

  /**
   * {@return the arena with the scratch buffers of the options}
   *
   * <p>If the options name no buffers and no kernels, the buffers are from the reference kernels.
   */
  static MicroArena withScratch(String path, MicroArena arena, MicroOptions options)
      throws IOException {
    if (options.kernels().isPresent()) {
      return arena.withKernels(EspNn.named(options.kernels().get()));
    }
    if (options.scratch().isEmpty()) {
      return options.isWithoutScratch() ? arena : arena.withScratch(arena.referenceScratch());
    }
    try {
      return arena.withScratch(ScratchReader.read(options.scratch().get()));
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(path, "--scratch: " + e.getMessage());
    }
  }

  private static List<String> notes(MicroMemory memory) {
    MicroArena arena = memory.arena();
    List<String> notes = new ArrayList<>(arena.notes());
    List<MicroTensor> unused = arena.unusedTensors();
    if (!unused.isEmpty()) {
      notes.add(
          Text.of(
              "%s not planned (%s), because no executed subgraph uses them: %s; without an offline plan, TensorFlow Lite Micro keeps memory for all of them at the same time",
              Numbers.count(unused.size(), "tensor"),
              Numbers.count(arena.unusedBytes(), "byte"),
              firstOf(unused.stream().map(MicroTensor::label).toList())));
    }
    notes.addAll(
        kernelNotes(
            memory,
            "the scratch buffers, which operators need while they run, are those of the reference kernels; these operators may need others: "));
    return notes;
  }

  /**
   * {@return sentences on the memory that the kernels of a model request}
   *
   * @param unknownScratch the start of the sentence on operators with unknown buffers
   */
  public static List<String> kernelNotes(MicroMemory memory, String unknownScratch) {
    List<String> notes = new ArrayList<>();
    int decompressed = memory.arena().decompressedCount();
    if (decompressed > 0) {
      notes.add(
          "constants that are decompressed into the head: "
              + Numbers.grouped(decompressed)
              + "; with SetDecompressionMemory, the application needs a smaller head");
    }
    kernelsNote(memory.arena()).ifPresent(notes::add);
    ScratchOperators scratch = memory.arena().scratchOperators();
    List<String> operators =
        Stream.of(scratch.reference(), scratch.optimized(), scratch.custom())
            .flatMap(List::stream)
            .toList();
    if (!memory.isScratchKnown() && !operators.isEmpty()) {
      notes.add(unknownScratch + firstOf(operators) + REMEDY);
    }
    return notes;
  }

  /** {@return a sentence on the kernels of the arena; empty without them} */
  private static Optional<String> kernelsNote(MicroArena arena) {
    List<String> custom = arena.scratchOperators().custom();
    return arena
        .kernels()
        .map(kernels ->
            Text.of(
                "the scratch buffers are those of %s with %s, which it does not pin: dependencies.lock of the build names the version; no bound for %s%s",
                EspNn.CALLER,
                kernels.name(),
                EspNn.UNKNOWN_RELEASES,
                custom.isEmpty() ? "" : ", nor for custom operators: " + firstOf(custom)));
  }

  private static String firstOf(List<String> names) {
    return names.size() <= NAMED_COUNT
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMED_COUNT))
            + " and "
            + Numbers.grouped(names.size() - NAMED_COUNT)
            + " more";
  }

  /**
   * {@return the tensors that the plan of a model places, with their offsets}
   *
   * @param micro the kernels and their memory, which the input then has; empty without them
   * @throws MalformedFileException if the model is damaged or has no plan, or if the options
   *     contradict it
   */
  static PlacedInput readPlan(String path, Path file, Optional<MicroOptions> micro)
      throws IOException {
    MicroArena model = MicroArenaReader.read(file);
    Optional<MicroMemory> memory =
        micro.isPresent() ? Optional.of(memory(path, model, micro.get())) : Optional.empty();
    MicroArena arena = memory.map(MicroMemory::arena).orElse(model);
    OfflinePlan plan =
        arena
            .filePlan()
            .orElseThrow(() ->
                new MalformedFileException(
                    path,
                    "has no offline plan (OfflineMemoryAllocation); stowage rewrite MODEL --output OUT writes one"));
    PlacedTensors placed = arena.placed(plan);
    List<RecordLabel> labels =
        placed.tensors().stream()
            .map(tensor -> ModelLabels.record(Integer.toString(tensor.id().planIndex()), tensor))
            .toList();
    // Task 0 is the time before the first scope.
    List<String> tasks = new ArrayList<>(List.of("before all"));
    tasks.addAll(arena.scopeLabels());
    InputFile input =
        new InputFile(
            path,
            "tflite",
            tasks.size(),
            ModelLabels.scopes(tasks),
            OptionalLong.empty(),
            Stream.concat(planNotes(arena, plan).stream(), kernelsNote(arena).stream()).toList());
    return new PlacedInput(
        new PlanInput.Tensors(input, labels, placed.problem()).withMicro(memory), placed.offsets());
  }

  private static List<String> planNotes(MicroArena arena, OfflinePlan plan) {
    List<String> notes = new ArrayList<>(arena.notes());
    long unplaced =
        arena.plannedTensors().stream()
            .filter(tensor -> plan.offset(tensor.id().planIndex()).isEmpty())
            .count();
    if (unplaced > 0) {
      notes.add(
          Numbers.count(unplaced, "tensor")
              + " without an offset: TensorFlow Lite Micro places them at run time, and then needs "
              + Numbers.grouped(arena.headBytes(arena.filePlan()))
              + " bytes");
    }
    return notes;
  }
}
