package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.TensorScope;
import org.junit.jupiter.api.Test;

/** Tensors of a verification that share a record, and runs in their plans. */
class ModelVerificationSharingTest extends VerifiedGraphs {

  @Test
  void problem_ofViewsAndElementwiseOperators_sharesTheirInput() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 4, 6)
            .integers("shape", 6, 4)
            .node("Exp", "x", "a")
            .node("Relu", "a", "b")
            .node("Reshape", "b shape", "c")
            .node("Tanh", "c", "d")
            .node("MatMul", "d b", "e")
            .node("Add", "e e", "y")
            .outputs("y");
    ModelVerification unshared = load(graph, OnnxOptions.defaults());
    ModelVerification shared = load(graph, OnnxOptions.defaults().withAliases());
    assertThat(unshared.problem().records()).hasSize(5);
    // b and c share a record, which may be in place of a; d may not, because b is read after it.
    assertThat(shared.problem().records()).hasSize(4);
    assertThat(shared.problem().inPlace()).containsExactly(new InPlace(1, 0));
    assertThat(run(unshared).isIdentical()).isTrue();
    assertThat(run(shared).isIdentical()).isTrue();
  }

  @Test
  void problem_ofViewsOfInputs_leavesThemThere() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 4, 6)
            .integers("shape", 6, 4)
            .node("Reshape", "x shape", "a")
            .node("Identity", "a", "b")
            .node("Relu", "b", "c")
            .node("MatMul", "c x", "d")
            .node("Relu", "d", "e")
            .node("Flatten", "x", "y")
            .node("MatMul", "e b", "z")
            .outputs("y z");
    ModelVerification shared = load(graph, OnnxOptions.defaults().withAliases());
    // Records of c, d and e, which may be in place of d.
    assertThat(shared.problem().records()).hasSize(3);
    assertThat(shared.problem().inPlace()).containsExactly(new InPlace(2, 1));
    assertThat(run(shared).isIdentical()).isTrue();
    assertThat(run(load(graph, OnnxOptions.defaults())).isIdentical()).isTrue();
    OnnxOptions everything =
        OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withAliases();
    assertThat(run(load(graph, everything)).isIdentical()).isTrue();
  }

  @Test
  void problem_ofOperatorsThatConvertOrMoveElements_sharesTheirInput() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.FLOAT, 4, 4)
            .node("Exp", "x", "a")
            .node("Cast", "a", "b", TestGraph.integer("to", TestGraph.INT32))
            .node("Cast", "b", "c", TestGraph.integer("to", TestGraph.FLOAT))
            .node("Shrink", "c", "d")
            .node("Trilu", "d", "e")
            .node("Cast", "e", "f", TestGraph.integer("to", TestGraph.INT64))
            .node("ScatterElements", "f f f", "g") // reads again what it would write over
            .node("ScatterElements", "g f f", "h")
            .node("Neg", "h", "y")
            .outputs("y");
    ModelVerification shared = load(graph, OnnxOptions.defaults().withAliases());
    // b to e may be in place of the record before, and h in place of g.
    assertThat(shared.problem().records()).hasSize(8);
    assertThat(shared.problem().inPlace())
        .containsExactly(
            new InPlace(1, 0),
            new InPlace(2, 1),
            new InPlace(3, 2),
            new InPlace(4, 3),
            new InPlace(7, 6));
    assertThat(run(shared).isIdentical()).isTrue();
  }
}
