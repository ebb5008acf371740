package dev.stowage.cli.input;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.tflite.micro.ArenaTail;
import dev.stowage.tflite.micro.EspNn;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroTensor;
import dev.stowage.tflite.micro.TailPart;
import dev.stowage.tflite.offline.OfflinePlan;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The memory of a model in TensorFlow Lite Micro.
 *
 * @param arena the tensor arena with its scratch buffers; if they are not known, with the buffers
 *     of the reference kernels
 * @param options the information on the kernels
 */
public record MicroMemory(MicroArena arena, MicroOptions options) {

  /**
   * The memory of an interpreter.
   *
   * @param headBytes the head of the arena
   * @param tailBytes the tail
   * @param arenaBytes the arena: both parts, or more if the interpreter needs it to start
   */
  public record Size(long headBytes, long tailBytes, long arenaBytes) {

    /** {@return the size if the head may also have this number of bytes} */
    public Size withHead(long otherBytes) {
      long head = Math.max(headBytes, otherBytes);
      return new Size(head, tailBytes, Math.max(arenaBytes, ArenaTail.aligned(head + tailBytes)));
    }

    /** {@return the result of {@code interpreter.arena_used_bytes()}} */
    public long usedBytes() {
      return headBytes + tailBytes;
    }

    /** {@return the bytes that the interpreter needs to start, beside the head and the tail} */
    public long reserveBytes() {
      return arenaBytes - headBytes - tailBytes;
    }
  }

  /** {@return the name of the kernels; empty if they are not known} */
  public Optional<String> kernels() {
    return arena.kernels().map(EspNn::name);
  }

  /**
   * {@return words on the kernels that the figures hold for, with a blank at their start; empty if
   * the user states the buffers rather than the kernels}
   */
  public String withKernels() {
    return isScratchKnown()
        ? kernels().map(name -> " with " + name).orElse("")
        : " with the reference kernels";
  }

  /**
   * {@return a sentence on the {@linkplain #largestWithEspNn() largest arena with ESP-NN}, with a
   * blank at its end; empty without this arena}
   *
   * @param model the subject of the sentence
   */
  public Optional<String> espNn(String model) {
    return largestWithEspNn()
        .map(largest ->
            Text.of(
                "With ESP-NN on an ESP32-S3, %s needs up to %d (%s, with %s): --kernels plans for it. ",
                model,
                largest.fileSize().arenaBytes(),
                ByteUnit.human(largest.fileSize().arenaBytes()),
                largest.kernels().orElseThrow()));
  }

  /**
   * {@return the memory with the known release of ESP-NN on an ESP32-S3 that needs most; empty if
   * the kernels are known, or if ESP-NN requests no buffers}
   */
  public Optional<MicroMemory> largestWithEspNn() {
    MicroArena largest = arena.withKernels(EspNn.named("any@esp32s3"));
    return isScratchKnown() || largest.scratchBuffers().size() == arena.scratchBuffers().size()
        ? Optional.empty()
        : Optional.of(new MicroMemory(largest, options));
  }

  /** {@return true if all scratch buffers are known} */
  public boolean isScratchKnown() {
    return options.isScratchKnown();
  }

  /** {@return the size of the model as it is, with its own plan if it has one} */
  public Size fileSize() {
    return size(filePlan());
  }

  /** {@return the size without a plan} */
  public Size sizeWithoutPlan() {
    return size(Optional.empty());
  }

  /** {@return the size with a plan in the file; empty if an offset is too large for a model} */
  public Optional<Size> size(OffsetsAssignment plan) {
    return plan.totalBytes() > Integer.MAX_VALUE
        ? Optional.empty()
        : Optional.of(size(Optional.of(arena.toOfflinePlan(plan))));
  }

  /**
   * {@return the size with a plan, and with the operators in the order of an arena}
   *
   * @param ordered the arena of the same model, maybe with another order of the operators
   */
  public Size size(MicroArena ordered, OfflinePlan plan) {
    return new MicroMemory(ordered, options)
        .size(Optional.of(plan).filter(OfflinePlan::hasOffsets));
  }

  /**
   * A part of the tail, or the memory to start.
   *
   * @param key the name for programs
   * @param remedy the change that makes it smaller
   */
  public record Part(String key, String label, long bytes, String remedy) {

    private static Part of(TailPart part, long bytes) {
      return new Part(part.name().toLowerCase(Locale.ROOT), part.label, bytes, part.remedy);
    }
  }

  /** {@return the parts of the tail of the model as it is; their sum is the tail} */
  public List<Part> fileTail() {
    NavigableMap<TailPart, Long> parts = new TreeMap<>(arena.tail(filePlan()).parts());
    parts.values().removeIf(bytes -> bytes == 0);
    return parts.entrySet().stream().map(it -> Part.of(it.getKey(), it.getValue())).toList();
  }

  /** {@return the memory to start; empty if it is due to rounding alone} */
  public Optional<Part> toStart() {
    long bytes = fileSize().reserveBytes();
    return bytes < MicroArena.ALIGNMENT_BYTES
        ? Optional.empty()
        : Optional.of(Part.of(TailPart.TO_START, bytes));
  }

  /** {@return true if results may be in place of an input} */
  public boolean isInPlace() {
    return arena.isInPlace();
  }

  /** {@return a size as the planner of TensorFlow Lite Micro rounds it up} */
  public static long aligned(long bytes) {
    return ArenaTail.aligned(bytes);
  }

  /** {@return true if operators have scratch buffers} */
  public boolean hasScratch() {
    return arena.hasScratch();
  }

  public PlanProblem tensorsAlone(PlanProblem problem) {
    return arena.tensorsAlone(problem);
  }

  /** {@return the number of tensors that no executed subgraph uses} */
  public int unusedCount() {
    return arena.unusedTensors().size();
  }

  private Size size(Optional<OfflinePlan> plan) {
    ArenaTail tail = arena.tail(plan);
    long head = arena.headBytes(plan);
    return new Size(head, tail.bytes(), tail.arenaBytes(head));
  }

  /** {@return true if the model has a plan that places tensors} */
  public boolean hasFilePlan() {
    return filePlan().isPresent();
  }

  private Optional<OfflinePlan> filePlan() {
    return arena.filePlan().filter(OfflinePlan::hasOffsets);
  }

  /**
   * {@return the names of two live tensors that overlap in the model's own plan, and the operator
   * where they overlap; empty if none do}
   */
  public Optional<String> filePlanOverlap() {
    return filePlan().flatMap(plan -> arena.placed(plan).violation().map(it -> overlap(plan, it)));
  }

  private String overlap(OfflinePlan plan, Violation violation) {
    List<MicroTensor> placed = arena.placed(plan).tensors();
    // Task 0 is the time before the first scope.
    long scope = violation.task().orElseThrow() - 1;
    return Text.of(
        "%s and %s, %s",
        placed.get(violation.records().getFirst()).label(),
        placed.get(violation.records().getLast()).label(),
        scope < 0 ? "from the start" : "at " + arena.scopeLabels().get((int) scope));
  }

  /** {@return all buffers that the interpreter places for the model as it is, in that order} */
  public List<TensorUsageRecord> runTimeBuffers() {
    return arena.runTimeBuffers(filePlan());
  }
}
