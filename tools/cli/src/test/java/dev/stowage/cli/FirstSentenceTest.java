package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentence that a table starts with, and the confidence below it. */
class FirstSentenceTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plan examples/puzzle.csv | examples/puzzle.csv: One arena of 1.000 MiB (1,048,576 bytes) holds all 170 tensors of 256 tasks: by OPTIMAL, 91.5 % less than unshared (11.826 MiB). | Proved: no plan is smaller.
          plan examples/mobilenet_v1.tflite --capacity 5MiB | examples/mobilenet_v1.tflite: One arena of 4.594 MiB (4,816,896 bytes) holds all 30 tensors of 31 tasks: by GREEDY_BY_SIZE, 76.1 % less than unshared (19.248 MiB), within the capacity of 5.000 MiB. | Proved: no plan is smaller.
          plan examples/mobilenet_v1.tflite --capacity 1MiB | examples/mobilenet_v1.tflite: No plan within 1.000 MiB (1,048,576 bytes): the best plan, by GREEDY_BY_SIZE, needs 4.594 MiB (4,816,896 bytes), 3.594 MiB too many. | Proved: no plan can be smaller.
          plan examples/mobilenet_v2.tflite --kind objects --strategy EQUALITY | examples/mobilenet_v2.tflite: 35 shared objects of 17.544 MiB (18,396,360 bytes) for all 65 tensors of 66 tasks: by EQUALITY, 33.3 % less than unshared (26.313 MiB). | They are at most 165.7 % above the optimum.
          plan examples/attention.json | examples/attention.json: One arena of 1.125 MiB (1,179,776 bytes) holds all 7 tensors of 7 tasks at all 512 shapes of batch=1..8, seq=1..64: by GREEDY_BY_SIZE, 25.0 % less than unshared (1.500 MiB). | Proved: no plan of the largest sizes is smaller.
          plan examples/tiny_cnn.onnx --dim batch=1..8 | examples/tiny_cnn.onnx: One arena of 768.000 KiB (786,432 bytes) holds all 18 tensors of 19 tasks for batch=1..8, checked at 8 shapes: by GREEDY_BY_SIZE, 72.1 % less than unshared (2.689 MiB). | Proved: no plan of the largest sizes is smaller. An estimate: tensors may be larger at other shapes.
          plan examples/banks.csv --bank name=sram,bytes=1KiB --bank name=dram,cost=10 | examples/banks.csv: A plan of all 5 tensors of 9 tasks costs 71,936: by LARGEST_FIRST, 896 B of 1.000 KiB in sram, 896 B in dram. | Not proved: another division among the banks may cost less.
          plan examples/mobilenet_v1.tflite examples/unet.tflite | examples/unet.tflite needs the largest of 2 arenas: 64.000 MiB (67,108,864 bytes). | Proved optimal: 2 of 2 plans.
          replay examples/training.csv | examples/training.csv: A BFC allocator reserves 1.000 GiB (1,073,741,824 bytes) at the peak for 492.375 MiB (516,292,608 bytes) that the program requests, 108.0 % more. | Confidence: exact.
          replay examples/training.csv examples/training.csv | examples/training.csv, replayed with a BFC allocator with its defaults, has the largest difference: it reserves 1.000 GiB at the peak for 492.375 MiB that the program requests. | No request fails in 2 replays.
          tune examples/attention.pickle | examples/attention.pickle: With max_split_size_mb:512, PyTorch's caching allocator reserves 3.041 GiB (3,265,265,664 bytes) at the peak, 13.6 % less than recorded. | Confidence: exact.
          diff examples/mobilenet_v1.tflite examples/posenet.tflite | posenet.tflite needs 1.500 MiB (1,573,248 bytes) more than mobilenet_v1.tflite (+32.7 %), most of it from Conv2d_1_pointwise. | Proved: no plan of A or of B is smaller.
          """)
  void table_ofACommand_startsWithTheSentenceAndTheConfidence(
      String arguments, String sentence, String confidence) {
    CommandRun run = CommandRun.of((Object[]) arguments.split(" "));

    assertThat(run.out().lines()).startsWith(sentence, confidence);
  }

  @Test
  void plan_ofBanksWithoutAPlan_printsTheReasonAlone() {
    CommandRun run = CommandRun.of("plan", "examples/banks.csv", "--bank", "name=dram,bytes=256");

    assertThat(run.out())
        .isEqualTo(
            "examples/banks.csv: No plan in banks: record 2 'conv' of 896 bytes fits into no bank:"
                + " dram of 256 bytes lacks 640; proved: no plan fits.\n");
  }

  @Test
  void tune_severalTracesAboveTheLimit_printsSentencesAlone() {
    CommandRun run =
        CommandRun.of(
            "tune", "examples/attention.pickle", "examples/attention.pickle", "--limit", "1MiB");

    assertThat(run.out()).doesNotContain("SETTINGS", "settings to use");
    assertThat(run.out().lines().filter(line -> line.contains(": No setting helps: "))).hasSize(2);
  }

  @Test
  void page_andTable_haveTheSameSentence() {
    Path page = folder.resolve("plan.html");
    CommandRun run = CommandRun.of("plan", "examples/puzzle.csv", "--output", page);

    String sentence = run.out().lines().findFirst().orElseThrow().split(": ", 2)[1];
    assertThat(page)
        .content()
        .satisfies(
            text -> assertThat(text.replace('\u00a0', ' ')).contains(">" + sentence + "</p>"));
  }
}
