package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule of each group of operators, compared with the shapes that ONNX Runtime infers. */
class OnnxReaderSymbolicRulesTest {

  static Stream<Arguments> graphs() {
    return Stream.concat(TensorRuleGraphs.all().stream(), ContentRuleGraphs.all().stream());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("graphs")
  void readSymbolic_operator_agreesWithOnnxRuntime(String name, TestGraph graph)
      throws IOException {
    List<DimensionRange> ranges =
        FixedDimensions.openIn(GraphAssembly.assemble("test.onnx", graph.build())).stream()
            .map(dimension -> new DimensionRange(dimension, 8, 40))
            .toList();
    OnnxOptions options = OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    SymbolicShapes shapes =
        new SymbolicShapes(graph.build().toByteArray(), options, new DimensionRanges(ranges));
    assertThat(shapes.problem().notes()).as(name).noneMatch(note -> note.contains("unknown size"));
    Random random = new Random(1);
    List<DimensionValues> compared = new ArrayList<>(shapes.corners(4));
    for (int i = 0; i < 4; i++) {
      compared.add(shapes.any(random));
    }
    for (DimensionValues shape : compared) {
      assertThat(shapes.agreesAt(shape)).as("%s is valid at %s", name, shape).isTrue();
    }
  }
}
