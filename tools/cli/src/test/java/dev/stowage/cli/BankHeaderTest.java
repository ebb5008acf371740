package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage plan --bank --output plan.h}. */
class BankHeaderTest {

  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void plan_header_hasTheArenasOfTheBanksAndAPlaceForEachTensor() throws Exception {
    Path problem =
        write(
            "cam.csv",
            """
            id,lower,upper,size,alignment,bank,name
            0,0,2,768,1,dram,image
            1,1,3,256,24,sram,conv
            """);
    Path header = folder.resolve("plan.h");

    CommandRun run =
        CommandRun.of(
            "plan",
            problem,
            "--bank",
            "name=sram,bytes=1KiB,alignment=16",
            "--bank",
            "name=dram",
            "--output",
            header);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(header)
        .hasContent(
            """
            /* The tensor arenas of cam.csv, planned by Stowage (LARGEST_FIRST). C99 and C++. */
            #ifndef CAM_ARENA_H
            #define CAM_ARENA_H

            #include <stdint.h>

            /* Each bank: its number, the bytes of its arena, and a multiple of its address. */
            #define CAM_BANK_COUNT 2
            /* sram */
            #define CAM_SRAM_BANK 0
            #define CAM_SRAM_ARENA_BYTES 256u
            #define CAM_SRAM_ARENA_ALIGNMENT 48u
            /* dram */
            #define CAM_DRAM_BANK 1
            #define CAM_DRAM_ARENA_BYTES 768u
            #define CAM_DRAM_ARENA_ALIGNMENT 1u
            #define CAM_TENSOR_COUNT 2

            /* The number of the bank of each tensor. */
            static const uint8_t CAM_BANKS[CAM_TENSOR_COUNT] = {
                CAM_DRAM_BANK, /* 0 */
                CAM_SRAM_BANK /* 1 */
            };

            /* The offset of each tensor in the arena of its bank, in bytes. */
            static const uint32_t CAM_OFFSETS[CAM_TENSOR_COUNT] = {
                0u, /* 0: image, 768 bytes */
                0u /* 1: conv, 256 bytes */
            };

            /* Mentions the constants, so that compilers do not warn of unused ones. */
            static inline void CAM_mention_constants(void) {
                (void)CAM_BANKS;
                (void)CAM_OFFSETS;
            }

            #endif /* CAM_ARENA_H */
            """);
    Path use =
        write(
            "use.c",
            """
            #include "plan.h"
            int main(void) {
              return CAM_BANKS[1] == CAM_SRAM_BANK && CAM_OFFSETS[1] < CAM_SRAM_ARENA_BYTES
                         && CAM_DRAM_ARENA_BYTES == 768 && CAM_SRAM_ARENA_ALIGNMENT % 16 == 0
                     ? 0 : 1;
            }
            """);
    CCompiler.assertRuns(use);
  }

  @Test
  void plan_headerOfOddNames_compilesWithADifferentNameForEachBank() throws Exception {
    Path problem =
        write(
            "1 odd.csv",
            """
            id,lower,upper,size,bank,name
            0,0,2,5368709120,a-b,x*\\/ y
            1,1,3,256,a b,what???/
            2,2,4,32,count,/* *\\
            3,4,5,16,ö,*
            """);
    Path header = folder.resolve("plan.h");

    CommandRun run =
        CommandRun.of(
            "plan",
            problem,
            "--bank",
            "name=a-b,bytes=5GiB",
            "--bank",
            "name=a b,bytes=1KiB",
            "--bank",
            "name=count,bytes=1KiB",
            "--bank",
            "name=bank,bytes=1KiB",
            "--bank",
            "name=ö",
            "--output",
            header);

    assertThat(run.exitCode()).as(run.err()).isZero();
    Path use =
        write(
            "use.c",
            """
            #include "plan.h"
            int main(void) {
              return MODEL_1_ODD_A_B_ARENA_BYTES == 5368709120ull
                         && MODEL_1_ODD_A_B_2_ARENA_BYTES == 256 && MODEL_1_ODD_COUNT_BANK == 2
                         && MODEL_1_ODD_BANK_ARENA_BYTES == 0 && MODEL_1_ODD_BANK_2_BANK == 4
                         && MODEL_1_ODD_BANK_COUNT == 5 && MODEL_1_ODD_BANKS[1] == 1
                         && MODEL_1_ODD_OFFSETS[3] == 0 ? 0 : 1;
            }
            """);
    CCompiler.assertRuns(use);
  }

  @Test
  void plan_headerWithoutTensors_compiles() throws Exception {
    Path problem = write("empty.csv", "id,lower,upper,size\n");

    CommandRun run =
        CommandRun.of("plan", problem, "--bank", "name=ram", "--output", folder.resolve("plan.h"));

    assertThat(run.exitCode()).as(run.err()).isZero();
    Path use =
        write(
            "use.c",
            "#include \"plan.h\"\nint main(void) { return EMPTY_TENSOR_COUNT + EMPTY_RAM_BANK; }\n");
    CCompiler.assertRuns(use);
  }

  @Test
  void plan_headerOfAlignmentsWithoutACommonMultiple_isNotWritten() throws Exception {
    Path problem =
        write(
            "p.csv",
            "id,lower,upper,size,alignment\na,0,1,1,2305843009213693951\nb,1,2,1,2305843009213693950\n");
    Path header = folder.resolve("plan.h");

    CommandRun run = CommandRun.of("plan", problem, "--bank", "name=ram", "--output", header);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .endsWith(
            "the alignments up to record 1 'b' have no common multiple below 2^63: alignment=2305843009213693950\n");
    assertThat(header).doesNotExist();
  }
}
