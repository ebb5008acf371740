package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.profile.ProfiledGraph;
import dev.stowage.onnx.profile.ProfiledGraph.Found;
import dev.stowage.onnx.profile.ProfiledOperator;
import dev.stowage.onnx.profile.ProfiledRun;
import dev.stowage.onnx.profile.ServiceProfile;
import dev.stowage.testing.SampleSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Predictions compared with the profile and the node memory statistics of ONNX Runtime. */
class ProfileJudgeTest {

  /** The rules for some kernels are bounds. */
  private static final long TOLERANCE_BYTES = 8 << 10;

  /** The first version of the file format in which an input may override an initializer. */
  private static final long FIRST_WITH_OVERRIDES = 4;

  @TempDir private Path folder;

  private record Judged(
      ProfiledSession session, OptimizedModel model, ProfiledGraph named, SizedGraph sized) {

    /** {@return true for an initializer that a caller cannot override} */
    boolean isWeight(String name) {
      return sized.weights().containsKey(name)
          && (session.optimized().getIrVersion() < FIRST_WITH_OVERRIDES
              || session.optimized().getGraph().getInputList().stream()
                  .noneMatch(input -> input.getName().equals(name)));
    }

    Found found(ProfiledOperator operator) {
      return named
          .find(
              new ProfiledRun.Operator(
                  operator.name(), operator.type(), operator.tensors(), 0, OptionalLong.empty()))
          .orElseThrow(() -> new AssertionError(operator.toString()));
    }
  }

  private static Map<String, Long> sizes(String dimensions) {
    Map<String, Long> sizes = new TreeMap<>();
    for (String dimension : dimensions.isEmpty() ? new String[0] : dimensions.split(" ", -1)) {
      int at = dimension.indexOf('=');
      sizes.put(dimension.substring(0, at), Long.parseLong(dimension.substring(at + 1)));
    }
    return sizes;
  }

  /** The session and the prediction have the layout for the processor of this machine. */
  private Judged judged(Path file, Map<String, Long> sizes) throws Exception {
    EngineSettings settings = EngineSettings.defaults();
    ProfiledSession session = ProfiledSession.of(file, folder, settings, List.of(sizes, sizes));
    ModelProto original = ModelProto.parseFrom(Files.readAllBytes(file));
    OptimizedModel model =
        OptimizedModel.of(file.toString(), original, session.optimized(), settings);
    ProfiledGraph named = ProfiledGraph.of(original.getGraph(), session.optimized().getGraph());
    return new Judged(session, model, named, model.sized(sizes));
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "basic_pitch_nmp, unk__749=1, 500",
        "byte_sb_bidi_lstm, batch=1 length=16, 40",
        "fastestdet, , 300",
        "gpt2_past_12layer_tiny_dims, batch_size=1 seq_len=4, 1200",
        "gpt2_past_one_layer, batch_size=1 seq_len=3 past_seq_len=4, 200",
        "light_inception_v1, , 160",
        "light_shufflenet, , 300",
        "light_squeezenet, , 70",
        "yunet_n_640, , 200",
      })
  void predict_realModel_agreesWithTheProfile(Path file, String dimensions, int minimum)
      throws Exception {
    Map<String, Long> sizes = sizes(dimensions);
    Judged judged = judged(file, sizes);
    Map<String, GraphNode> nodes = new HashMap<>();
    judged.model().graph().nodes().forEach(node -> nodes.put(node.proto().getOutput(0), node));
    int named = 0;
    for (ProfiledOperator operator : judged.session().operators()) {
      Found found = judged.found(operator);
      assertTensors(judged, operator, found);
      GraphNode node = Objects.requireNonNull(nodes.get(found.node().getOutput(0)));
      if (!node.proto().getName().isEmpty()) {
        named++;
        assertWorkspace(judged, operator, node);
      }
    }
    // Operators without a name share a figure.
    assertThat(named).isGreaterThanOrEqualTo(minimum);
    ArenaUse predicted =
        EnginePrediction.of(judged.model(), sizes, WorkspaceCalibration.none()).withWorkspace();
    ServiceProfile.ArenaUse arena = judged.session().arena();
    assertThat(predicted.maxInUseBytes())
        .isBetween(arena.peakBytes(), arena.peakBytes() + TOLERANCE_BYTES);
    assertThat(predicted.totalAllocatedBytes())
        .isBetween(arena.heldBytes(), arena.heldBytes() + TOLERANCE_BYTES);
  }

  /** The shapes of all tensors, and their bytes, are equal. */
  private static void assertTensors(Judged judged, ProfiledOperator operator, Found found) {
    SizedGraph sized = judged.sized();
    Map<String, Long> bytes = new HashMap<>();
    judged
        .named()
        .types(found)
        .forEach((name, type) -> {
          assertThat(sized.type(name)).as(name).hasToString(type.toString());
          bytes.put(name, sized.bytes(name));
        });
    long parameters = 0;
    long activations = 0;
    for (String input : found.node().getInputList()) {
      if (judged.isWeight(input)) {
        parameters += bytes.getOrDefault(input, 0L);
      } else {
        activations += bytes.getOrDefault(input, 0L);
      }
    }
    long outputs = found.node().getOutputList().stream().mapToLong(sized::bytes).sum();
    assertThat(new ProfiledOperator.TensorBytes(activations, parameters, outputs))
        .as(operator.name())
        .isEqualTo(operator.bytes());
  }

  /** The workspace of a rule is at least the requests, and at most a tenth more. */
  private static void assertWorkspace(Judged judged, ProfiledOperator operator, GraphNode node) {
    long predicted =
        KernelWorkspace.of(new KernelOperands(node, judged.sized()), 1).orElse(List.of()).stream()
            .mapToLong(Long::longValue)
            .sum();
    long requested = judged.session().statistics().requestedBytes(operator.name()).orElseThrow();
    assertThat(predicted)
        .as(operator.name())
        .isBetween(requested, requested + requested / 10 + Long.BYTES * 4);
  }
}
