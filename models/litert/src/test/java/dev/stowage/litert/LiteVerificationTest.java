package dev.stowage.litert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.litert.engine.EngineOutput;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.SampleSource;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.tflite.TfliteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

@Timeout(300)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "needs Linux on x86-64")
class LiteVerificationTest {

  private static final TfliteOptions OPTIONS =
      TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withInPlace();

  private static LiteVerification load(Path file) throws IOException {
    return LiteVerification.load(file, OPTIONS, 1, () -> false, _ -> {});
  }

  private static LiteVerification load(String sample) throws IOException {
    return load(SampleModels.folder("models/tflite").resolve(sample));
  }

  private static OffsetsAssignment plan(LiteVerification verification) {
    return MemoryStrategy.GREEDY_BY_SIZE.planOffsets(verification.problem());
  }

  @Test
  void run_validPlan_isIdentical() throws IOException {
    List<Integer> done = new ArrayList<>();
    LiteVerification verification =
        LiteVerification.load(
            SampleModels.folder("models/tflite").resolve("hello_world_int8.tflite"),
            OPTIONS,
            5,
            () -> false,
            done::add);
    LiteReport report = verification.run(plan(verification));
    assertThat(report.seed()).isEqualTo(5);
    assertThat(report.outputs())
        .containsExactly(
            new EngineOutput("StatefulPartitionedCall:0", "INT8", List.of(1L, 1L), 1, true, 0, 0));
    assertThat(report.isIdentical()).isTrue();
    assertThat(report.plannedBytes()).isEqualTo(80);
    assertThat(report.engineArenaBytes()).hasValue(144);
    assertThat(report.reorderedArenaBytes()).isEmpty();
    assertThat(report.notes()).isEmpty();
    assertThat(done).containsExactly(1, 2, 3);
  }

  @Test
  void run_liveTensorsThatOverlap_differs() throws IOException {
    LiteVerification verification = load("rope.tflite");
    OffsetsAssignment plan = plan(verification);
    // Record 0 is the input, which operators 0 to 8 read; record 1 is the result of operator 0.
    long[] offsets = plan.offsets();
    offsets[1] = offsets[0];
    LiteReport report = verification.run(OffsetsAssignment.of(offsets, plan.totalBytes()));
    assertThat(report.isIdentical()).isFalse();
    assertThat(report.outputs()).allMatch(output -> output.maxAbsDifference() > 0);
  }

  @Tag("full")
  @Test
  void run_planInFile_isThatOfTheFile() throws IOException {
    LiteVerification verification = load("hps_presence_96ops_tiled.tflite").ofPlanInFile().get();
    LiteReport report = verification.run(verification.planInFile().get());
    assertThat(report.isIdentical()).isTrue();
    assertThat(report.plannedBytes()).isEqualTo(205_968);
    assertThat(report.notes()).isEmpty();
  }

  @Test
  void ofPlanInFile_withoutPlan_isEmpty() throws IOException {
    assertThat(load("rope.tflite").ofPlanInFile()).isEmpty();
  }

  @Tag("full")
  @Test
  void inOrder_otherOrder_comparesWithTheOrderOfTheFile() throws IOException {
    Path file = SampleModels.examples().resolve("tflm/detector.tflite");
    LiteVerification other = swapped(load(file));
    LiteReport report = other.run(plan(other));
    assertThat(report.isIdentical()).isTrue();
    assertThat(report.reorderedArenaBytes()).isPresent();
  }

  /** {@return a model with the first two neighbours exchanged that do not depend on each other} */
  private static LiteVerification swapped(LiteVerification verification) throws IOException {
    for (int k = 0; k < verification.operatorCount() - 1; k++) {
      List<Integer> order =
          new ArrayList<>(IntStream.range(0, verification.operatorCount()).boxed().toList());
      Collections.swap(order, k, k + 1);
      try {
        return verification.inOrder(order);
      } catch (MalformedFileException dependent) {
        // The next pair may be independent.
      }
    }
    throw new AssertionError("all operators depend on the one before");
  }

  @Test
  void run_operatorThatTheEngineLacks_isRejectedInItsWords() throws IOException {
    LiteVerification verification = load("audio_preprocessor_int8.tflite");
    assertThatThrownBy(() -> verification.run(plan(verification)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageEndingWith(
            "audio_preprocessor_int8.tflite: TensorFlow Lite rejects it in its own run: Encountered unresolved custom op: SignalWindow.; Node number 0 (SignalWindow) failed to prepare.");
  }

  @Test
  void failure_exitCode_namesTheRun() {
    LiteProcess process = new LiteProcess("x.tflite", () -> false, _ -> {});
    assertThat(process.failure(134, "double free or corruption (out)"))
        .isEqualTo(
            "cannot be verified: TensorFlow Lite crashed in its start, as kernels do that write outside of their tensors: double free or corruption (out)");
    assertThat(process.failure(137, ""))
        .isEqualTo(
            "cannot be verified: TensorFlow Lite was ended by the system in its start, as for lack of memory");
    assertThat(process.failure(1, "Error: no class"))
        .isEqualTo(
            "cannot be verified: TensorFlow Lite ended in its start with exit code 1: Error: no class");
  }

  /** A condition that is true when the engine has started to run a model. */
  private static final class EngineRuns implements BooleanSupplier {

    private final String model;
    private Optional<ProcessHandle> process = Optional.empty();
    private Optional<Path> library = Optional.empty();
    private String limits = "";

    EngineRuns(Path model) {
      this.model = model.toString();
    }

    @Override
    public boolean getAsBoolean() {
      process = ProcessHandle.current().children().filter(this::isOfModel).findFirst();
      library = process.flatMap(EngineRuns::library);
      // The process deletes the library when it has loaded it.
      if (library.isEmpty() || Files.exists(library.get())) {
        return false;
      }
      try {
        limits = Files.readString(Path.of("/proc", Long.toString(process.get().pid()), "limits"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return true;
    }

    private boolean isOfModel(ProcessHandle child) {
      return library(child).isPresent()
          && List.of(child.info().arguments().orElseThrow()).contains(model);
    }

    private static Optional<Path> library(ProcessHandle child) {
      return child.info().arguments().stream()
          .flatMap(Stream::of)
          .filter(argument -> argument.endsWith("libjnitensorflowlite.so"))
          .map(Path::of)
          .findFirst();
    }
  }

  @Test
  void run_stopped_endsTheProcessAndDeletesItsFolder() throws IOException {
    // A convolution that takes minutes.
    Path model = SampleModels.folder("corrupt/tflite").resolve("conv_huge_im2col.tflite");
    EngineRuns engineRuns = new EngineRuns(model);
    LiteVerification verification = LiteVerification.load(model, OPTIONS, 1, engineRuns, _ -> {});
    assertThatThrownBy(() -> verification.run(plan(verification)))
        .isInstanceOf(CancellationException.class)
        .hasMessageMatching("stopped in TensorFlow Lite's (start|own run)");
    assertThat(engineRuns.process.get().isAlive()).isFalse();
    assertThat(engineRuns.library.get().getParent()).doesNotExist();
    assertThat(engineRuns.limits).containsPattern("Max core file size +0 +0 ");
  }

  @Test
  void run_signalToTheEngine_isNotAFailureOfTheModel() throws IOException {
    Path model = SampleModels.folder("corrupt/tflite").resolve("conv_huge_im2col.tflite");
    EngineRuns engineRuns = new EngineRuns(model);
    AtomicBoolean isSent = new AtomicBoolean();
    BooleanSupplier signal =
        () -> {
          if (!isSent.get() && engineRuns.getAsBoolean()) {
            isSent.set(engineRuns.process.get().destroy());
          }
          return false;
        };
    LiteVerification verification = LiteVerification.load(model, OPTIONS, 1, signal, _ -> {});
    assertThatThrownBy(() -> verification.run(plan(verification)))
        .isInstanceOf(CancellationException.class)
        .hasMessageMatching("stopped in TensorFlow Lite's (start|own run)");
  }

  @Test
  void isReason_messagesOfJava_areNotTheReason() {
    assertThat(
            Stream.of(
                    "",
                    "Picked up JAVA_TOOL_OPTIONS: -Xmx1g",
                    "WARNING: A restricted method has been called",
                    "INFO: Created TensorFlow Lite XNNPACK delegate for CPU.",
                    "double free or corruption (out)")
                .filter(LiteProcess::isReason))
        .containsExactly("double free or corruption (out)");
  }

  @Test
  void run_stoppedAtOnce_deletesTheLibrary() throws IOException {
    Path model = SampleModels.folder("models/tflite").resolve("hello_world_int8.tflite");
    EngineRuns engineRuns = new EngineRuns(model);
    BooleanSupplier atOnce =
        () -> {
          boolean _ = engineRuns.getAsBoolean();
          return engineRuns.library.isPresent();
        };
    LiteVerification verification = LiteVerification.load(model, OPTIONS, 1, atOnce, _ -> {});
    assertThatThrownBy(() -> verification.run(plan(verification)))
        .isInstanceOf(CancellationException.class);
    assertThat(engineRuns.process.get().isAlive()).isFalse();
    assertThat(engineRuns.library.get().getParent()).doesNotExist();
  }

  @Test
  void run_arenaLargerThanTheMemory_namesItsBytes() throws IOException {
    LiteVerification verification = load("hello_world_int8.tflite");
    OffsetsAssignment huge = OffsetsAssignment.of(plan(verification).offsets(), 1L << 60);
    assertThatThrownBy(() -> verification.run(huge))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(
            "hello_world_int8.tflite: cannot be verified: the memory of this machine is too small for TensorFlow Lite's run in planned memory: ")
        .hasMessageContaining("Unable to allocate 1152921504606");
  }

  @Test
  void run_outputsOfOneValue_areNoted(@TempDir Path folder) throws IOException {
    TfliteGraphBuilder graph = TfliteGraphBuilder.named("ones");
    GraphTensor input = graph.input("x", 4, 1);
    graph.output(graph.softmax("ones", input));
    Path file = folder.resolve("ones.tflite");
    graph.writeTo(file);
    LiteVerification verification = load(file);
    assertThat(verification.run(plan(verification)).notes())
        .containsExactly(
            "1 output has the same value everywhere with these inputs, so that the comparison proves little: 'ones'");
  }

  @Test
  void run_modelWithoutOutputs_isRejected(@TempDir Path folder) throws IOException {
    TfliteGraphBuilder graph = TfliteGraphBuilder.named("none");
    GraphTensor input = graph.input("x", 1, 4);
    GraphTensor one = graph.softmax("1", input);
    GraphTensor two = graph.softmax("2", input);
    graph.output(graph.softmax("3", input), one, two);
    ByteBuffer model = ByteBuffer.wrap(graph.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer outputs = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    outputs.putInt(3).putInt(3).putInt(1).putInt(2).flip(); // the number and the indices
    int at = 0;
    while (!model.slice(at, 16).equals(outputs)) {
      at += 4;
    }
    model.putInt(at, 0);
    Path file = Files.write(folder.resolve("none.tflite"), model.array());
    LiteVerification verification = load(file);
    assertThatThrownBy(() -> verification.run(plan(verification)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageEndingWith("none.tflite: it has no outputs, expected at least one to compare");
  }

  @Test
  void run_recordOutsideOfTheArena_isRejected() throws IOException {
    LiteVerification verification = load("hello_world_int8.tflite");
    assertThatThrownBy(() -> verification.run(OffsetsAssignment.of(new long[4], 15)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("record 1 of 16 bytes is at offset 0, expected one within 15 bytes");
  }

  @Tag("full")
  @ParameterizedTest
  @SampleSource(
      folder = "models/tflite",
      extension = ".tflite",
      value = {
        "basic_pitch_nmp",
        "blazeface_face_detection_front",
        "deeplabv3_257_mv_gpu",
        "dtln_model_2_quant",
        "hello_world_int8",
        "hps_presence_96ops_tiled",
        "llm_toy_kv_cache_multi_signature",
        "lyra_soundstream_encoder",
        "mcunetv2_large",
        "mlperf_tiny_ad01_int8",
        "mlperf_tiny_resnet8_int8",
        "mobilenet_v1_1.0_224_quant_embedding",
        "mobilenet_v2_1.0_224_quant",
        "rope",
        "sdpa_composite",
        "trained_lstm_int8",
        "transformer_ff",
        "ultraface_rfb320",
        "yamnet_audio"
      })
  void run_realModel_isIdentical(Path file) throws IOException {
    LiteVerification verification = load(file);
    for (MemoryStrategy strategy :
        List.of(MemoryStrategy.GREEDY_BY_SIZE, MemoryStrategy.TFLM_GREEDY)) {
      LiteReport report = verification.run(strategy.planOffsets(verification.problem()));
      assertThat(report.isIdentical()).as(strategy.name()).isTrue();
    }
  }

  @Tag("full")
  @ParameterizedTest
  @SampleSource(
      folder = "models/tflite",
      extension = ".tflite",
      value = {
        "audio_preprocessor_int8, unresolved custom op: SignalWindow.",
        "hair_segmentation_unet, unresolved custom op: MaxPoolingWithArgmax2D.",
        // Kernels of SVDF for 8 bits have states of 16 bits; here the states have 8.
        "keyword_scrambled_8bit, TensorFlow Lite crashed in its own run",
        "person_detect, Tensor 33 has invalid quantization parameters.",
        "person_detect_vela, unresolved custom op: ethos-u.",
        "posenet_mobilenet_v1_075_353_481_quant, unresolved custom op: PosenetDecoderOp.",
        "selfie_segmentation, unresolved custom op: Convolution2DTransposeBias."
      })
  void run_modelThatTheEngineCannotRun_isRejected(Path file, String reason) throws IOException {
    LiteVerification verification = load(file);
    assertThatThrownBy(() -> verification.run(plan(verification)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(reason);
  }

  @Tag("full")
  @ParameterizedTest
  @SampleSource(
      folder = "models/tflite",
      extension = ".tflite",
      value = {"mlperf_tiny_resnet8_int8", "rope", "sdpa_composite", "trained_lstm_int8"})
  void run_resultsOverTheirInputs_differs(Path file) throws IOException {
    LiteVerification verification = load(file);
    PlanProblem problem = verification.problem();
    OffsetsAssignment plan = plan(verification);
    long[] offsets = plan.offsets();
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = 0;
    }
    LiteReport report = verification.run(OffsetsAssignment.inSmallestArena(problem, offsets));
    assertThat(report.isIdentical()).isFalse();
  }
}
