package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.integers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorScope;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random chains of operators with open dimensions, compared with the sizes of single shapes. */
class OnnxReaderSymbolicRandomTest {

  private static final int SEED_COUNT = 40;
  private static final int GRAPHS_PER_SEED = 6;

  private static final DimensionRanges RANGES =
      DimensionRanges.of(
          new DimensionRange("n", 1, 5),
          new DimensionRange("h", 12, 40),
          new DimensionRange("w", 12, 40));

  static LongStream seeds() {
    return Seeds.of(SEED_COUNT);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void readSymbolic_anyChain_agreesAtAllShapes(long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < GRAPHS_PER_SEED; i++) {
      byte[] model = new RandomChain(random).build();
      OnnxOptions options =
          random.nextBoolean()
              ? OnnxOptions.defaults()
              : OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
      SymbolicShapes shapes =
          new SymbolicShapes(model, random.nextBoolean() ? options.withAliases() : options, RANGES);
      assertThat(shapes.problem().notes())
          .as("seed %d, graph %d", seed, i)
          .noneMatch(note -> note.contains("unknown size"));
      List<DimensionValues> compared = new ArrayList<>(shapes.corners(8));
      compared.add(shapes.any(random));
      for (DimensionValues shape : compared) {
        assertThat(shapes.agreesAt(shape))
            .as("seed %d, graph %d is valid at %s", seed, i, shape)
            .isTrue();
      }
    }
  }

  /** Draws operators on images [n, 4, height, width] that stay images. */
  private static final class RandomChain {

    private final Random random;
    private final TestGraph graph =
        new TestGraph()
            .input("x0", FLOAT, "n", 4, "h", "w")
            .weights("k", 4, 4, 3, 3)
            .weights("c", 4)
            .integers("one", 1)
            .integers("two", 2)
            .integers("minusOne", -1)
            .integers("far", Integer.MAX_VALUE)
            .integers("axis3", 3)
            .integers("rows", 0, 0, -1)
            .integers("pads", 0, 0, 1, 2, 0, 0, 1, 0)
            .weights("scales", new float[] {1, 1, 2, 1.5f}, 4);

    private int count;

    RandomChain(Random random) {
      this.random = random;
    }

    byte[] build() {
      int length = 1 + random.nextInt(8);
      int shrunk = 0;
      while (count < length) {
        String input = "x" + count;
        String result = "x" + (count + 1);
        int kind = random.nextInt(shrunk < 2 ? 14 : 9);
        shrunk += kind >= 9 ? 1 : 0;
        add(kind, input, result);
        count++;
      }
      return graph.node("Relu", "x" + count, "y").outputs("y").build().toByteArray();
    }

    private String own(String name) {
      return name + count;
    }

    private void add(int kind, String input, String result) {
      switch (kind) {
        case 0 -> graph.node("Relu", input, result);
        case 1 -> graph.node("Add", input + " " + input, result);
        case 2 -> graph.node("Concat", input + " " + input, result, integer("axis", 3));
        case 3 ->
            graph.node("Conv", input + " k", result, integers("pads", List.of(1L, 1L, 1L, 1L)));
        case 4 -> graph.node("Pad", input + " pads", result);
        case 5 -> graph.node("Transpose", input, result, integers("perm", List.of(0L, 1L, 3L, 2L)));
        case 6 -> graph.node("Resize", input + " _ scales", result);
        case 7 -> addReshapes(input, result);
        case 8 -> addTransposedMatrices(input, result);
        case 9 ->
            graph.node(
                "MaxPool",
                input,
                result,
                integers("kernel_shape", List.of(2L, 3L)),
                integers("strides", List.of(2L, 1L)),
                integer("ceil_mode", random.nextInt(2)));
        case 10 -> graph.node("Slice", input + " one far axis3", result);
        case 11 -> graph.node("Slice", input + " one far axis3 two", result);
        case 12 -> graph.node("Conv", input + " k", result, integers("strides", List.of(2L, 2L)));
        default -> addHalf(input, result);
      }
    }

    /** Reshapes to rows and back, by the shape of the input. */
    private void addReshapes(String input, String result) {
      graph
          .node("Shape", input, own("shape"))
          .node("Reshape", input + " rows", own("flat"))
          .node("Softmax", own("flat"), own("soft"))
          .node("Reshape", own("soft") + " " + own("shape"), result);
    }

    /** Multiplies each channel by its transposed matrix. */
    private void addTransposedMatrices(String input, String result) {
      graph
          .node("Transpose", input, own("turned"), integers("perm", List.of(0L, 1L, 3L, 2L)))
          .node("MatMul", input + " " + own("turned"), result);
    }

    /** Takes the second half of the columns, whose number the graph computes. */
    private void addHalf(String input, String result) {
      graph
          .node("Shape", input, own("shape"))
          .node("Slice", own("shape") + " axis3 far", own("width"))
          .node("Div", own("width") + " two", own("half"))
          .node("Slice", input + " " + own("half") + " far axis3", result);
    }
  }
}
