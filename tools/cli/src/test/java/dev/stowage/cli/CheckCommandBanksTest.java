package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code stowage check} of plans in several banks. */
class CheckCommandBanksTest {

  private static final String SRAM = "name=sram,bytes=1KiB,alignment=16,cost=1";
  private static final String DRAM = "name=dram,bytes=8KiB,cost=10";

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path brokenPlan() throws IOException {
    return file(
        "broken.csv",
        """
        id,lower,upper,size,reads,bank,offset,name
        image,0,2,768,1,dram,256,image
        weights,0,9,256,1,sram,8,w
        conv,1,8,512,6,sram,768,conv
        pool,2,4,512,2,sram,0,pool
        logits,7,9,768,1,dram,256,logits
        """);
  }

  private static JsonNode json(CommandRun run) {
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void check_validPlan_hasAllBanksAndTheCost() throws IOException {
    Path plan =
        file(
            "plan.csv",
            "id,lower,upper,size,reads,bank,offset\na,0,2,768,1,dram,256\nb,0,9,256,3,dram,0\n");

    CommandRun run = CommandRun.of("check", plan, "--bank", SRAM, "--bank", DRAM);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.DONE,
                """
                %s: valid: 2 banks with 2 tensors over 9 tasks.

                BANK    tensors  bytes  lower bound  difference  capacity  alignment  byte cost
                  sram        0      0            0           0     1,024         16          1
                  dram        2  1,024        1,024           0     8,192          1         10

                Cost: 25,600
                """
                    .formatted(plan),
                ""));
  }

  @Test
  void check_brokenPlan_listsTheViolationsOfEachBank() throws IOException {
    Path plan = brokenPlan();

    CommandRun run = CommandRun.of("check", plan, "--bank", SRAM, "--bank", DRAM);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.NO_PLAN,
                """
                %s: not valid: 1 overlap, 1 misaligned offset, 1 tensor beyond the capacity in 2 banks with 5 tensors over 9 tasks.

                BANK    tensors  bytes  lower bound  difference  capacity  alignment  byte cost
                  sram        3  1,280        1,280           0     1,024         16          1
                  dram        2  1,024          768         256     8,192          1         10

                Cost: 36,352

                VIOLATIONS
                  w (weights) and pool in bank sram: overlap at task 2 to 3 in bytes 8 to 263 (256)
                  w (weights) in bank sram: offset 8 is not a multiple of 16
                  conv in bank sram: ends at byte 1,280, 256 beyond the capacity
                """
                    .formatted(plan),
                ""));
  }

  @Test
  void check_brokenPlanAsJson_hasTheIndicesOfTheFile() throws IOException {
    Path plan = brokenPlan();

    CommandRun run =
        CommandRun.of("check", plan, "--bank", SRAM, "--bank", DRAM, "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .isEqualTo(
            ("{\"input\":\"%s\",\"format\":\"csv\",\"valid\":false,\"records\":5,\"alignment\":1,\"total_bytes\":2304,"
                    + "\"lower_bounds\":{\"offsets\":2048,\"objects\":2048},\"banks\":["
                    + "{\"name\":\"sram\",\"bytes\":1024,\"alignment\":16,\"cost\":1,\"records\":3,\"total_bytes\":1280,\"lower_bounds\":{\"offsets\":1280,\"objects\":1280}},"
                    + "{\"name\":\"dram\",\"bytes\":8192,\"alignment\":1,\"cost\":10,\"records\":2,\"total_bytes\":1024,\"lower_bounds\":{\"offsets\":768,\"objects\":768}}],"
                    + "\"cost\":36352,\"violation_counts\":{\"overlap\":1,\"misaligned\":1,\"beyond_capacity\":1,\"not_permitted\":0},\"violations\":["
                    + "{\"kind\":\"misaligned\",\"records\":[\"weights\"],\"indices\":[1],\"bank\":\"sram\",\"task\":0,\"offset\":8,\"alignment\":16},"
                    + "{\"kind\":\"beyond_capacity\",\"records\":[\"conv\"],\"indices\":[2],\"bank\":\"sram\",\"task\":1,\"end_byte\":1280},"
                    + "{\"kind\":\"overlap\",\"records\":[\"weights\",\"pool\"],\"indices\":[1,3],\"bank\":\"sram\",\"task\":2,\"last_task\":3,\"start_byte\":8,\"end_byte\":264}]}\n")
                .formatted(plan));
  }

  @Test
  void check_withoutBanks_findsOverlapsAndHasANote() throws IOException {
    Path plan = brokenPlan();

    CommandRun run = CommandRun.of("check", plan);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.NO_PLAN,
                """
                %s: not valid: 1 overlap in 2 banks with 5 tensors over 9 tasks.

                BANK    tensors  bytes  lower bound  difference   capacity  alignment  byte cost
                  dram        2  1,024          768         256  unlimited          1          1
                  sram        3  1,280        1,280           0  unlimited          1          1

                VIOLATIONS
                  w (weights) and pool in bank sram: overlap at task 2 to 3 in bytes 8 to 263 (256)
                """
                    .formatted(plan),
                "stowage: note: "
                    + plan
                    + ": the capacities, alignments and costs of the banks are not known; --bank name=NAME,bytes=BYTES adds a bank with them\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.csv", "plan.json"})
  void check_outputOfPlan_isValidAndCostsAsMuch(String name) {
    Path plan = folder.resolve(name);
    CommandRun planned =
        CommandRun.of(
            "plan",
            "examples/deeplab_v3.tflite",
            "--bank",
            "name=sram,bytes=2MiB,alignment=16",
            "--bank",
            "name=dram,cost=10",
            "--alignment",
            "24",
            "--format",
            "json",
            "--output",
            plan);

    CommandRun run =
        CommandRun.of(
            "check",
            plan,
            "--bank",
            "name=sram,bytes=2MiB,alignment=16",
            "--bank",
            "name=dram,cost=10",
            "--alignment",
            "24",
            "--format",
            "json");

    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.DONE);
    assertThat(json(run).get("cost")).isEqualTo(json(planned).get("plans").get(0).get("cost"));
    assertThat(json(run).get("banks")).isEqualTo(json(planned).get("banks"));
  }

  @Test
  void check_someRecordsWithABank_isOneArena() throws IOException {
    Path plan =
        file(
            "plan.csv",
            "id,lower,upper,size,bank,offset\na,0,2,8,sram,0\nb,0,9,8,dram,8\nc,0,1,8,,16\n");

    CommandRun run = CommandRun.of("check", plan);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains(
            ": valid: an arena of 24 bytes with 3 tensors over 9 tasks.\n\nARENA          bytes\n  total           24 ");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void check_recordsInPlaceInDifferentBanks_doNotOverlap() throws IOException {
    Path plan =
        file(
            "plan.csv",
            """
            id,lower,upper,size,in_place_of,bank,offset
            a,0,2,8,,x,0
            b,1,3,8,a,y,0
            c,2,4,8,b,y,0
            """);

    CommandRun run = CommandRun.of("check", plan, "--format", "json");

    assertThat(run.exitCode()).as(run.out()).isZero();
  }

  @Test
  void check_capacityOfTheFile_isNotThatOfABank() throws IOException {
    Path plan =
        file(
            "plan.json",
            """
            {"capacity": 4, "records": [
              {"size": 8, "first_task": 0, "last_task": 0, "offset": 0, "bank": "a"},
              {"size": 8, "first_task": 0, "last_task": 0, "offset": 0, "bank": "b"}]}
            """);

    CommandRun run = CommandRun.of("check", plan, "--bank", "name=a,bytes=8", "--bank", "name=b");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void check_capacityOfOneArena_isRefusedForBanks() throws IOException {
    Path plan = brokenPlan();

    CommandRun run = CommandRun.of("check", plan, "--capacity", "1KiB");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + plan
                + ": the plan is in banks, expected the capacity of each"
                + " (--bank name=NAME,bytes=BYTES) instead of --capacity\n");
  }

  @Test
  void check_largeOffsetsInTwoBanks_haveASumAbove2Pow63() throws IOException {
    Path plan =
        file(
            "plan.csv",
            "id,lower,upper,size,bank,offset\na,0,1,7,x,9223372036854775800\nb,0,1,7,y,9223372036854775800\n");

    CommandRun run = CommandRun.of("check", plan, "--format", "json");

    assertThat(run.out()).contains("\"total_bytes\":18446744073709551614,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name=flash|record 0 'image' is tied to bank 'dram', expected one of sram, flash",
        "name=dram,cost=100000000000000000|the cost of all records exceeds 2^63 - 1: bytes written and read=8704, largest cost of a bank=100000000000000000",
        "name=dram,alignment=9223372036854775807|records up to record 0 'image' need more than 2^63 - 1 bytes: bytes=768, alignment=1, alignment of all records=9223372036854775807"
      })
  void check_bankThatContradictsTheFile_exits3(String bank, String message) throws IOException {
    Path plan = brokenPlan();

    CommandRun run = CommandRun.of("check", plan, "--bank", "name=sram,bytes=8KiB", "--bank", bank);

    assertThat(run.err().lines().toList()).contains("stowage: " + plan + ": " + message);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void check_bankWithoutBanksInTheFile_exits3() throws IOException {
    Path plan = file("plan.csv", "id,lower,upper,size,offset\na,0,1,7,0\n");

    assertThat(CommandRun.of("check", plan, "--bank", "name=sram").err())
        .isEqualTo(
            "stowage: "
                + plan
                + ": record 'a' has no bank, expected one of sram for every record\n");
  }

  @Test
  void check_wrongBanks_isAWrongCommandLine() throws IOException {
    Path plan = brokenPlan();

    assertThat(CommandRun.of("check", plan, "--bank", SRAM, "--capacity", "9").err())
        .startsWith(
            "stowage: --capacity is for one arena, expected the bytes of each --bank instead\n");
    assertThat(CommandRun.of("check", plan, "--bank", SRAM, "--bank", SRAM).err())
        .startsWith("stowage: --bank: banks must have different names: two are named sram\n");
  }

  static LongStream seeds() {
    return Seeds.of(100);
  }

  private record Row(int first, int last, int bytes, int offset, int bank) {

    static Row random(Random random, int tasks, int arena, int banks) {
      int first = random.nextInt(tasks);
      return new Row(
          first,
          first + random.nextInt(tasks - first),
          random.nextInt(5),
          random.nextInt(arena),
          random.nextInt(banks));
    }

    String csv(int id) {
      return "%s,%s,%s,%s,b%s,%s\n".formatted(id, first, last + 1, bytes, bank, offset);
    }

    boolean needs(int task, int address) {
      return first <= task && task <= last && offset <= address && address < offset + bytes;
    }
  }

  /** Compares every pair of each bank, byte by byte and task by task. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void check_randomPlan_listsTheViolationsOfEachBank(long seed) throws IOException {
    Random random = new Random(seed);
    int tasks = 1 + random.nextInt(5);
    int arena = 4 + random.nextInt(20);
    int bankCount = 1 + random.nextInt(3);
    int alignment = 1 + random.nextInt(3);
    int capacity = 4 + random.nextInt(20);
    List<Row> rows = new ArrayList<>();
    StringBuilder csv = new StringBuilder("id,lower,upper,size,bank,offset\n");
    for (int i = 0; i < 8; i++) {
      rows.add(Row.random(random, tasks, arena, bankCount));
      csv.append(rows.get(i).csv(i));
    }
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      if (row.offset % alignment != 0) {
        expected.add("misaligned [%s]".formatted(i));
      }
      if (row.offset + row.bytes > capacity) {
        expected.add("beyond_capacity [%s]".formatted(i));
      }
      for (int j = i + 1; j < rows.size(); j++) {
        if (row.bank == rows.get(j).bank && overlap(row, rows.get(j), tasks, arena + 5)) {
          expected.add("overlap [%s,%s]".formatted(i, j));
        }
      }
    }
    List<Object> words = new ArrayList<>(List.of("check", file("p.csv", csv.toString())));
    for (int bank = 0; bank < bankCount; bank++) {
      words.addAll(
          List.of("--bank", "name=b%s,bytes=%s,alignment=%s".formatted(bank, capacity, alignment)));
    }
    words.addAll(List.of("--format", "json"));

    CommandRun run = CommandRun.of(words.toArray());

    Set<String> found = new TreeSet<>();
    for (JsonNode violation : json(run).get("violations")) {
      found.add(violation.get("kind").asString() + " " + violation.get("indices"));
      int record = violation.get("indices").get(0).asInt();
      assertThat(violation.get("bank").asString()).isEqualTo("b" + rows.get(record).bank);
    }
    assertThat(found).as("%s", csv).isEqualTo(expected);
    assertThat(json(run).get("violations").size()).isEqualTo(expected.size());
    assertThat(run.exitCode()).isEqualTo(expected.isEmpty() ? ExitCode.DONE : ExitCode.NO_PLAN);
  }

  private static boolean overlap(Row a, Row b, int tasks, int end) {
    for (int task = 0; task < tasks; task++) {
      for (int address = 0; address < end; address++) {
        if (a.needs(task, address) && b.needs(task, address)) {
          return true;
        }
      }
    }
    return false;
  }
}
