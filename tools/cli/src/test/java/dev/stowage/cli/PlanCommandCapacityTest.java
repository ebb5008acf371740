package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanCommandCapacityTest {

  /** 3.5 KiB are live at task 1, and a plan needs no more. */
  private static final String CHAIN = "id,lower,upper,size\na,0,2,3072\nb,1,3,512\nc,2,4,1024\n";

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static CommandRun plan(Object... arguments) {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "plan";
    all[1] = "--format";
    all[2] = "csv";
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return CommandRun.of(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3584", "3584B", "4KiB", "1MiB", "2GiB", "1TiB", "9223372036854775807"})
  void plan_capacityThatSuffices_exits0(String capacity) throws IOException {
    CommandRun run = plan(file("p.csv", CHAIN), "--capacity", capacity);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void plan_capacityBelowTheLowerBound_exits4AndSaysThatItIsProved() throws IOException {
    Path csv = file("p.csv", CHAIN);

    CommandRun run = plan(csv, "--capacity", "3KiB", "--strategy", "naive");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out()).contains(",NAIVE,offsets,4608,3584,false,");
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: %s: no plan within 3.000 KiB (3,072 bytes): the best plan, by NAIVE, needs 4.500 KiB (4,608 bytes), \
            1.500 KiB too many; proved: every plan needs 3,584 or more
            """
                .formatted(csv));
  }

  @Test
  void plan_capacityThatNoPlanReachesAboveTheBound_exits4AndSaysThatItIsNotProved()
      throws IOException {
    Path csv = file("p.csv", CHAIN);

    CommandRun run = plan(csv, "--capacity", "4000", "--strategy", "naive");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: %s: no plan within 3.906 KiB (4,000 bytes): the best plan, by NAIVE, needs 4.500 KiB (4,608 bytes), \
            608 B too many; not proved: the lower bound is 3,584
            """
                .formatted(csv));
  }

  @Test
  void plan_kindObjects_holdsObjectsAgainstTheCapacity() throws IOException {
    Path csv = file("p.csv", CHAIN);

    CommandRun run =
        plan(csv, "--capacity", "0", "--kind", "objects", "--strategy", "GREEDY_BY_BREADTH");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .isEqualTo(
            """
            stowage: %s: no plan within 0 bytes: the best plan, by GREEDY_BY_BREADTH, needs 3.500 KiB (3,584 bytes), \
            3.500 KiB too many; proved: no plan can be smaller
            """
                .formatted(csv));
  }

  @Test
  void plan_pinsOnEachOther_isHeldAgainstBytesCountedOnce() throws IOException {
    Path csv = file("p.csv", "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,0\n");

    CommandRun run = plan(csv, "--capacity", "7");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .endsWith(
            """
            stowage: %s: no plan within 7 bytes: the best plan, by TFLM_GREEDY, needs 8 bytes, \
            1 B too many; proved: no plan can be smaller
            """
                .formatted(csv));
    assertThat(plan(csv, "--capacity", "8").exitCode()).isEqualTo(ExitCode.DONE);
  }

  /** The load counts bytes of both pins once: 13, although the sum at task 100 is 14. */
  @Test
  void plan_pinsOnEachOtherAboveTheRest_provesNothingThatIsNotSo() throws IOException {
    Path csv =
        file(
            "p.csv",
            """
            id,lower,upper,size,offset
            0,3,5,1,
            1,1,4,5,
            2,4,6,9,
            3,0,2,8,
            4,0,1,1,
            5,0,1,2,
            6,100,101,7,0
            7,100,101,7,0
            """);

    assertThat(plan(csv, "--capacity", "12").err())
        .endsWith("needs 13 bytes, 1 B too many; proved: no plan can be smaller\n");
    assertThat(plan(csv, "--capacity", "13", "--strategy", "TFLM_GREEDY").err())
        .endsWith("; not proved: the lower bound is 13\n");
  }

  @Test
  void plan_objectsThatFitWhereNoOffsetsDo_exits0() throws IOException {
    Path csv = file("p.csv", "id,lower,upper,size\na,0,1,10\nb,0,1,10\n");

    assertThat(plan(csv, "--alignment", "1000", "--capacity", "100").exitCode())
        .isEqualTo(ExitCode.DONE);
    assertThat(
            plan(csv, "--alignment", "1000", "--capacity", "100", "--kind", "offsets").exitCode())
        .isEqualTo(ExitCode.NO_PLAN);
  }

  /** Offsets need 1,010 bytes and objects 20, as proved. */
  @Test
  void plan_capacityBelowObjectsOfFewerBytesThanOffsets_exits4AndProvesTheFewer()
      throws IOException {
    Path csv = file("p.csv", "id,lower,upper,size\na,0,1,10\nb,0,1,10\n");

    assertThat(plan(csv, "--alignment", "1000", "--capacity", "15").err())
        .endsWith("needs 20 bytes, 5 B too many; proved: no plan can be smaller\n");
  }

  @Test
  void plan_pinsAndKindObjects_hasNoPlanToHoldAgainstACapacity() throws IOException {
    Path csv = file("p.csv", "id,lower,upper,size,offset\na,0,2,8,0\n");

    CommandRun run = plan(csv, "--capacity", "8", "--kind", "objects");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.err())
        .endsWith("stowage: %s: no plan was found to compare with the capacity\n".formatted(csv));
  }

  @ParameterizedTest
  @CsvSource({"8, '', 0", "7, '', 4", "7, 8, 0", "8, 7, 4"})
  void plan_capacityInTheFile_holdsUnlessTheCommandLineHasOne(
      int inFile, String asked, int exitCode) throws IOException {
    Path json =
        file(
            "p.json",
            "{\"capacity\": %s, \"records\": [{\"size\": 8, \"first_task\": 0, \"last_task\": 0}]}"
                .formatted(inFile));

    CommandRun run = asked.isEmpty() ? plan(json) : plan(json, "--capacity", asked);

    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void plan_capacityOfTextures_exits3() throws IOException {
    Path json =
        file("t.json", "{\"records\": [{\"size\": [4, 3], \"first_task\": 0, \"last_task\": 1}]}");

    CommandRun run = plan(json, "--capacity", "1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: %s: a capacity is in bytes, but textures have texels; omit --capacity and the key 'capacity'\n"
                .formatted(json));
  }

  @Test
  void plan_anInputAndACapacityFail_exitsWithTheInputs() throws IOException {
    CommandRun run = plan(file("p.csv", CHAIN), "none.csv", "--capacity", "1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("no plan within 1 byte:", "none.csv: does not exist");
  }
}
