package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The progress of verifications, and verifications that end early. */
@Timeout(120)
class VerificationProgressTest extends VerifiedGraphs {

  private ModelVerification load(TestGraph graph, BooleanSupplier stop, IntConsumer operatorsDone)
      throws IOException {
    return ModelVerification.load(write(graph), OnnxOptions.defaults(), SEED, stop, operatorsDone);
  }

  private static VerificationReport runPlanned(ModelVerification verification) throws IOException {
    return verification.run(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(verification.problem()));
  }

  @Test
  void load_withProgress_aRun_isToldOfEveryOperator() throws Exception {
    List<Integer> done = new ArrayList<>();
    ModelVerification verification = load(branches(), () -> false, done::add);

    assertThat(runPlanned(verification).isIdentical()).isTrue();
    assertThat(done).containsExactlyElementsOf(IntStream.rangeClosed(0, 6).boxed().toList());
  }

  @Test
  void load_withStop_atOnce_runsNothing() throws Exception {
    ModelVerification verification = load(branches(), () -> true, _ -> {});

    assertThatThrownBy(() -> runPlanned(verification))
        .isInstanceOf(CancellationException.class)
        .hasMessage("stopped in ONNX Runtime's own run of the model");
  }

  @Test
  void load_withStop_betweenOperators_saysHowManyAreDone() throws Exception {
    AtomicInteger done = new AtomicInteger();
    ModelVerification verification = load(branches(), () -> done.get() == 4, done::set);

    assertThatThrownBy(() -> runPlanned(verification))
        .isInstanceOf(CancellationException.class)
        .hasMessage("stopped after 4 of 6 operators in planned memory");
  }

  @Test
  void load_withStop_afterTheLastOperator_endsTheLastRun() throws Exception {
    AtomicInteger done = new AtomicInteger();
    ModelVerification verification = load(branches(), () -> done.get() == 6, done::set);

    assertThatThrownBy(() -> runPlanned(verification))
        .isInstanceOf(CancellationException.class)
        .hasMessage("stopped in ONNX Runtime's own run of the model");
  }

  /** A loop of 2^62 iterations. */
  private static TestGraph endless() {
    return new TestGraph()
        .integers("count", 1L << 62)
        .input("x", TestGraph.FLOAT, 8)
        .node(
            "Loop",
            "count _ x",
            "a",
            TestGraph.body(
                "body",
                new TestGraph()
                    .input("i", TestGraph.INT64)
                    .input("isOn", TestGraph.BOOL)
                    .input("before", TestGraph.FLOAT, 8)
                    .node("Identity", "isOn", "goesOn")
                    .node("Neg", "before", "after")
                    .output("goesOn", TestGraph.BOOL)
                    .output("after", TestGraph.FLOAT, 8)))
        .node("Neg", "a", "y")
        .type("a", TestGraph.FLOAT, 8)
        .output("y", TestGraph.FLOAT, 8);
  }

  @Test
  void load_withStop_inARunOfTheEngine_endsItBetweenOperatorsOfItsBody() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    BooleanSupplier stop = () -> asked.incrementAndGet() > 5;
    ModelVerification verification = load(endless(), stop, _ -> {});

    assertThatThrownBy(() -> runPlanned(verification))
        .isInstanceOf(CancellationException.class)
        .hasMessage("stopped in ONNX Runtime's own run of the model");
  }
}
