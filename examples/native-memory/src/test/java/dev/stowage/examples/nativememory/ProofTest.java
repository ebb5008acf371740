package dev.stowage.examples.nativememory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The services, with their libraries' defaults and with Stowage, in processes of their own. */
@Tag("full")
class ProofTest {

  private static final List<String> WAYS = List.of("defaults", "stowage");

  @BeforeEach
  void needsLinux() {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "needs Linux (/proc/self/status)");
  }

  private static List<Figures> figures(Class<?> program, int requests) throws IOException {
    List<Figures> figures =
        List.of(
            Comparison.run(program, requests, "defaults"),
            Comparison.run(program, requests, "stowage"));
    System.out.println(program.getSimpleName() + "\n" + Comparison.table(WAYS, figures));
    assertThat(figures).extracting(Figures::served).containsOnly((long) requests);
    return figures;
  }

  private static long growth(Figures figures) {
    return figures.highestBytes() - figures.loadedBytes();
  }

  @Test
  void djl_admittedPredictions_needLessAndReturnIt() throws IOException {
    List<Figures> figures = figures(DjlService.class, 320);
    assertThat(growth(figures.get(1))).isLessThan(growth(figures.get(0)) / 3 * 2);
    assertThat(figures.get(1).keptBytes()).isLessThan(figures.get(0).keptBytes());
  }

  @Test
  void langchain4j_admittedRuns_needLessAndReturnIt() throws IOException {
    List<Figures> figures = figures(EmbeddingService.class, 6);
    assertThat(growth(figures.get(1))).isLessThan(growth(figures.get(0)) / 3 * 2);
    assertThat(figures.get(1).keptBytes()).isLessThan(figures.get(0).keptBytes());
  }

  @Test
  void twoModels_oneAllocator_needAtLeastThirtyPercentLess() throws IOException {
    List<Figures> figures = figures(TwoModels.class, 4);
    assertThat(figures.get(1).highestBytes()).isLessThan(figures.get(0).highestBytes() / 10 * 7);
    assertThat(growth(figures.get(1))).isLessThan(growth(figures.get(0)) / 10 * 7);
  }
}
