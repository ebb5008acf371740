package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ProblemJsonReaderTest {

  private static PlanInput read(String json) throws IOException {
    return ProblemReader.json(
        "p.json",
        new StringReader(json),
        new ProblemTensors("p.json", false, GivenDimensions.NONE));
  }

  @Test
  void read_everyKey_returnsItsValue() throws IOException {
    PlanInput.Tensors input =
        (PlanInput.Tensors)
            read(
                """
                {"capacity": 1048576,
                 "usage_graph": [[1], []],
                 "records": [
                   {"gaps": [{"window": [8, 16], "first_task": 3, "last_task": 4},
                             {"first_task": 7, "last_task": 7}],
                    "hint": 12, "offset": 48, "alignment": 16, "name": "conv/out", "id": "t0",
                    "last_task": 8, "first_task": 2, "size": 20},
                   {"size": 7, "first_task": 3, "last_task": 3}]}
                """);

    assertThat(input.problem().records())
        .containsExactly(
            TensorUsageRecord.of(20, 2, 8)
                .withName("conv/out")
                .withAlignment(16)
                .pinnedAt(48)
                .withHint(12)
                .withGaps(List.of(new Gap(3, 4, 8, 16), Gap.of(7, 7))),
            TensorUsageRecord.of(7, 3, 3));
    assertThat(input.labels())
        .containsExactly(new RecordLabel("t0", "conv/out"), new RecordLabel("1", "1"));
    assertThat(input.problem().reuseGraph())
        .hasValue(ReuseGraph.ofUsage(List.of(List.of(1), List.of())));
    assertThat(input.file())
        .isEqualTo(new InputFile("p.json", "json", 9, OptionalLong.of(1048576), List.of()));
  }

  @Test
  void read_inPlaceOf_namesAnIdOrThePositionOfARecordWithoutOne() throws IOException {
    PlanInput.Tensors input =
        (PlanInput.Tensors)
            read(
                """
                {"records": [{"size": 1, "first_task": 2, "last_task": 3, "in_place_of": "a"},
                             {"size": 1, "first_task": 0, "last_task": 2, "id": "a"},
                             {"size": 1, "first_task": 3, "last_task": 4, "in_place_of": 0}]}
                """);

    assertThat(input.problem().inPlace()).containsExactly(new InPlace(0, 1), new InPlace(2, 0));
  }

  @Test
  void read_idsOfNumbersAndTexts_areTextsAndNamesDefaultToThem() throws IOException {
    PlanInput input =
        read(
            """
            {"records": [{"size": 1, "first_task": 0, "last_task": 0, "id": 7},
                         {"size": 1, "first_task": 0, "last_task": 0, "id": 7.50},
                         {"size": 1, "first_task": 0, "last_task": 0, "id": "a,\\"b\\"\\n"},
                         {"size": 1, "first_task": 0, "last_task": 0, "name": "n"}]}
            """);

    assertThat(input.labels())
        .containsExactly(
            new RecordLabel("7", "7"),
            new RecordLabel("7.50", "7.50"),
            new RecordLabel("a,\"b\"\n", "a,\"b\"\n"),
            new RecordLabel("3", "n"));
  }

  @Test
  void read_sizesOfTwoOrThreeDimensions_areTextures() throws IOException {
    PlanInput.Textures flat =
        (PlanInput.Textures)
            read("{\"records\": [{\"size\": [4, 3], \"first_task\": 1, \"last_task\": 2}]}");
    PlanInput.Textures deep =
        (PlanInput.Textures)
            read("{\"records\": [{\"size\": [4, 3, 2], \"first_task\": 1, \"last_task\": 2}]}");

    assertThat(flat.records())
        .containsExactly(new TextureUsageRecord(TextureExtent.of(4, 3), 1, 2));
    assertThat(deep.records())
        .containsExactly(new TextureUsageRecord(TextureExtent.of(4, 3, 2), 1, 2));
    assertThat(flat.file().operatorCount()).isEqualTo(3);
  }

  @Test
  void read_noRecords_isAProblemWithoutRecords() throws IOException {
    assertThat(read("{\"records\": []}").labels()).isEmpty();
    assertThat(read("{\"records\": []}").file().operatorCount()).isZero();
  }

  @Test
  void read_unknownKeysAnywhere_areNamedInOneNote() throws IOException {
    PlanInput input =
        read(
            """
            {"z": {"deep": [{"records": 1}]}, "comment": null,
             "records": [{"size": 1, "first_task": 0, "last_task": 3, "dtype": [1, {"a": 2}],
                          "gaps": [{"first_task": 1, "last_task": 2, "why\\n\\u001b": true}]},
                         {"size": 1, "first_task": 0, "last_task": 3, "dtype": "f32"}]}
            """);

    assertThat(input.file().notes())
        .containsExactly("unknown keys are ignored: 'comment', 'dtype', 'why??', 'z'");
  }

  @Test
  void read_moreUnknownKeysThanFitIntoANote_namesTen() throws IOException {
    StringBuilder json = new StringBuilder("{\"records\": []");
    for (int i = 10; i < 1000; i++) {
      json.append(", \"k").append(i).append("\": 0");
    }

    assertThat(read(json + "}").file().notes())
        .containsExactly(
            "unknown keys are ignored:"
                + " 'k10', 'k11', 'k12', 'k13', 'k14', 'k15', 'k16', 'k17', 'k18', 'k19'");
  }

  @Test
  void read_reallocationGraph_isTheGraphOfTheProblem() throws IOException {
    PlanInput.Tensors input =
        (PlanInput.Tensors)
            read(
                """
                {"reallocation_graph": [[1], [0]],
                 "records": [{"size": 7, "first_task": 0, "last_task": 0},
                             {"size": 7, "first_task": 2, "last_task": 2}]}
                """);

    assertThat(input.problem().reuseGraph())
        .hasValue(ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0))));
  }

  @Test
  void read_graphOfTextures_lengthensTheirLifetimes() throws IOException {
    PlanInput.Textures input =
        (PlanInput.Textures)
            read(
                """
                {"usage_graph": [[], []],
                 "records": [{"size": [4, 3], "first_task": 1, "last_task": 2},
                             {"size": [4, 3], "first_task": 3, "last_task": 4}]}
                """);

    TextureExtent extent = TextureExtent.of(4, 3);
    assertThat(input.records())
        .containsExactly(
            new TextureUsageRecord(extent, 1, 2), new TextureUsageRecord(extent, 3, 4));
    assertThat(input.planned())
        .containsExactly(
            new TextureUsageRecord(extent, 1, 3), new TextureUsageRecord(extent, 3, 4));
  }
}
