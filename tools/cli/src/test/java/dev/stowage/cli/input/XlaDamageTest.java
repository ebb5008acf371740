package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.ReadInput;
import dev.stowage.cli.XlaDump;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Randomly damaged dumps of XLA. The reader returns a problem or throws an error with the file. */
final class XlaDamageTest {

  private static final int DAMAGES_PER_SEED = 100;

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_damagedDump_isRefusedOrStillAProblem(long seed) throws IOException {
    Random random = new Random(seed);
    int mostEdits = 1 + random.nextInt(4);
    for (int i = 0; i < DAMAGES_PER_SEED; i++) {
      tryRead(ProblemDamageTest.damaged(XlaDump.BUFFERS, mostEdits, random), XlaDump.RANGES);
      tryRead(XlaDump.BUFFERS, ProblemDamageTest.damaged(XlaDump.RANGES, mostEdits, random));
    }
  }

  private void tryRead(String buffers, String ranges) throws IOException {
    Path file = XlaDump.write(folder.resolve("m"), buffers, ranges);
    String all = buffers + ranges;
    try {
      PlanInput input = ReadInput.of(file);
      PlanInput.Tensors tensors = (PlanInput.Tensors) input;
      int count = tensors.problem().records().size();
      assertThat(tensors.labels()).as(all).hasSize(count);
      assertThat(tensors.xla().orElseThrow().plan().recordCount()).as(all).isEqualTo(count);
      assertThat(input.file().operatorCount()).as(all).isNotNegative();
    } catch (MalformedFileException e) {
      assertThat(e.getMessage()).as(all).startsWith(folder + "/m").hasSizeLessThan(500);
    } catch (RuntimeException e) {
      throw new AssertionError("reading this threw " + e + ": " + all, e);
    }
  }
}
