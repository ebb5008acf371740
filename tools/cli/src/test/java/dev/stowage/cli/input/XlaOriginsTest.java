package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XlaOriginsTest {

  @TempDir Path folder;

  private Map<String, String> origins(String text, String... instructions) throws IOException {
    Path file = Files.writeString(folder.resolve("m.txt"), text);
    try (XlaLines lines = new XlaLines("m.txt", file)) {
      return XlaOrigins.read(lines, Set.of(instructions));
    }
  }

  @Test
  void read_linesInMetadata_areThoseOfTheInstructions() throws IOException {
    String text =
        """
        HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

        %fused_computation (param_0: f32[8]) -> f32[8] {
          %param_0 = f32[8]{0} parameter(0)
          ROOT %multiply.1 = f32[8]{0} multiply(%param_0, %param_0), metadata={op_name="jit(f)/mul" source_file="train.py" source_line=3}
        }

        ENTRY %main.5 (x.1: f32[8]) -> f32[8] {
          %x.1 = f32[8]{0} parameter(0), metadata={op_name="p[0][\\'a\\']"}
          %fusion = f32[8]{0} fusion(%x.1), kind=kLoop, calls=%fused_computation
          %dot.2 = f32[8]{0} custom-call(%fusion), frontend_attributes={kernel_metadata={}}, metadata={op_type="dot" op_name="jit(f)/jvp(bthd,bshd->bhts)/dot_general" source_file="/home/me/net/train.py" source_line=12 profile_type={1}}, backend_config={"source_line":5}
          add.3 = f32[8]{0} add(dot.2, dot.2), metadata={source_file="C:\\\\net\\\\model.py" source_line=7}
          ROOT %copy.4 = f32[8]{0} copy(%add.3), metadata={op_name="jit(f)/jit(main)/copy"}
        }
        """;
    assertThat(origins(text, "x.1", "fusion", "dot.2", "add.3", "copy.4"))
        .isEqualTo(
            Map.of(
                "x.1", "p[0]['a']",
                "dot.2", "jvp(bthd,bshd->bhts)/dot_general train.py:12",
                "add.3", "model.py:7",
                "copy.4", "jit(main)/copy"));
  }

  @Test
  void read_framesInTables_areLinesOfCode() throws IOException {
    String text =
        """
        HloModule jit_f

        FileNames
        1 "/home/me/jax/api.py"
        2 "/home/me/train.py"

        FunctionNames
        1 "loss"

        FileLocations
        1 {file_name_id=2 function_name_id=1 line=28 end_line=29 column=2 end_column=19}
        2 {file_name_id=1 function_name_id=1 line=16}

        StackFrames
        1 {file_location_id=2 parent_frame_id=1}
        2 {file_location_id=1 parent_frame_id=2}

        ENTRY %main.1 (x.1: f32[]) -> f32[] {
          %mul.1 = f32[] multiply(%x.1, %x.1), metadata={op_name="jit(f)/mul" stack_frame_id=2}
          %mul.2 = f32[] multiply(%mul.1, %mul.1),
            frontend_attributes={xla_log="true"},
            metadata={op_name="jit(f)/mul" stack_frame_id=1}
          ROOT %mul.3 = f32[] multiply(%mul.2, %mul.2), metadata={op_name="jit(f)/mul" stack_frame_id=9}
        }
        """;
    assertThat(origins(text, "mul.1", "mul.2", "mul.3"))
        .isEqualTo(Map.of("mul.1", "mul train.py:28", "mul.2", "mul api.py:16", "mul.3", "mul"));
  }

  /** A line can have all numbers of a constant, before its metadata. */
  @Test
  void read_aLineOfManyNumbers_hasTheMetadataAtItsEnd() throws IOException {
    String numbers = "1.25, ".repeat(200_000);
    String text =
        "  %constant.1 = f32[200000]{0} constant({"
            + numbers
            + "}), metadata={op_name=\"jit(f)/iota\" source_file=\"a.py\" source_line=4}\n";
    assertThat(origins(text, "constant.1")).isEqualTo(Map.of("constant.1", "iota a.py:4"));
  }

  @Test
  void read_textThatIsCut_hasTheRest() throws IOException {
    String line = "  %a = f32[] add(%x, %x), metadata={op_name=\"jit(f)/add\" source_line={";
    for (int end = 0; end <= line.length(); end++) {
      assertThat(origins(line.substring(0, end), "a").getOrDefault("a", "")).doesNotContain("{");
    }
    assertThat(origins("  %a = f32[] add(), metadata={\"x\"={}=,}", "a")).isEmpty();
  }
}
