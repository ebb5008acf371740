package dev.stowage.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.ReadInput;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProblemCsvReaderTest {

  private static PlanInput.Tensors read(String csv) throws IOException {
    return (PlanInput.Tensors)
        ProblemReader.csv(
            "p.csv",
            new StringReader(csv),
            new ProblemTensors("p.csv", false, GivenDimensions.NONE));
  }

  private static List<TensorUsageRecord> records(String csv) throws IOException {
    return read(csv).problem().records();
  }

  @Test
  void read_allColumnsInAnyOrder_returnsTheirValues() throws IOException {
    PlanInput.Tensors input =
        read(
            """
            gaps,name,offset,hint,size,alignment,upper,lower,id
            3-5@8:16 7-8,conv/out,48,12,20,16,9,2,t0
            ,,,,7,,1,0,t1
            """);

    assertThat(input.problem().records())
        .containsExactly(
            TensorUsageRecord.of(20, 2, 8)
                .withName("conv/out")
                .withAlignment(16)
                .pinnedAt(48)
                .withHint(12)
                .withGaps(List.of(new Gap(3, 4, 8, 16), Gap.of(7, 7))),
            TensorUsageRecord.of(7, 0, 0));
    assertThat(input.labels())
        .containsExactly(new RecordLabel("t0", "conv/out"), new RecordLabel("t1", "t1"));
    assertThat(input.file())
        .isEqualTo(new InputFile("p.csv", "csv", 9, OptionalLong.empty(), List.of()));
  }

  @Test
  void read_inPlaceOf_namesARecordBeforeOrAfter() throws IOException {
    PlanInput.Tensors input =
        read(
            """
            id,lower,upper,size,in_place_of
            b,2,5,8,a
            a,0,3,8,
            c,4,6,8,b
            """);

    assertThat(input.problem().inPlace()).containsExactly(new InPlace(0, 1), new InPlace(2, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id,lower,upper,size",
        "buffer,begin,upper,size",
        "buffer_id,start,upper,size",
        "ID, Lower ,UPPER,\tSize"
      })
  void read_synonymsOfColumns_areTheSameColumns(String header) throws IOException {
    assertThat(records(header + "\na,1,3,5\n")).containsExactly(TensorUsageRecord.of(5, 1, 2));
  }

  @Test
  void read_endInPlaceOfUpper_isInclusiveForLifetimesAndGaps() throws IOException {
    assertThat(records("id,lower,end,size,gaps\na,0,9,5,2-3 5-5@0:2\n"))
        .containsExactly(
            TensorUsageRecord.of(5, 0, 9).withGaps(List.of(Gap.of(2, 3), new Gap(5, 5, 0, 2))));
  }

  @Test
  void read_minusOne_isNoOffsetAndNoHint() throws IOException {
    assertThat(records("id,lower,upper,size,offset,hint\na,0,1,5,-1,-1\n"))
        .containsExactly(TensorUsageRecord.of(5, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id,lower,upper,size\r\na,0,1,5\r\nb,1,2,6\r\n",
        "id,lower,upper,size\na,0,1,5\nb,1,2,6",
        "id,lower,upper,size\n\na,0,1,5\n  \n\nb,1,2,6\n\n",
        "id , lower,upper, size\n a , 0 ,1\t,5\nb,1,2,6 \n",
        "\"id\",\"lower\",\"upper\",\"size\"\n\"a\",\"0\",\"1\",\"5\"\n \"b\" ,1,2,6\n"
      })
  void read_lineEndsBlanksAndQuotes_doNotMatter(String csv) throws IOException {
    assertThat(records(csv))
        .containsExactly(TensorUsageRecord.of(5, 0, 0), TensorUsageRecord.of(6, 1, 1));
    assertThat(read(csv).labels())
        .containsExactly(new RecordLabel("a", "a"), new RecordLabel("b", "b"));
  }

  @Test
  void read_quotedField_mayHoldCommasQuotesBlanksAndLineEnds() throws IOException {
    PlanInput.Tensors input =
        read("id,lower,upper,size\n\" a,\"\"b\"\"\r\n\nc\",0,1,5\nd\"e,1,2,6\n\"\",2,3,7\n");

    assertThat(input.labels()).map(RecordLabel::id).containsExactly(" a,\"b\"\r\n\nc", "d\"e", "");
    assertThat(input.problem().records()).map(TensorUsageRecord::bytes).containsExactly(5L, 6L, 7L);
  }

  @Test
  void read_headerAlone_isAProblemWithoutRecords() throws IOException {
    assertThat(read("id,lower,upper,size").problem().records()).isEmpty();
    assertThat(read("id,lower,upper,size").file().operatorCount()).isZero();
  }

  @Test
  void read_equalIds_areAccepted() throws IOException {
    assertThat(read("id,lower,upper,size\na,0,1,5\na,0,1,5\n").labels()).hasSize(2);
  }

  @Test
  void read_largestNumbers_areNotRounded() throws IOException {
    PlanInput.Tensors input =
        read("id,lower,upper,size\na,9223372036854775806,9223372036854775807,9223372036854775807");

    assertThat(input.problem().records())
        .containsExactly(
            TensorUsageRecord.of(Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE - 1));
    assertThat(input.file().operatorCount()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void read_lastTaskWithEnd_mayBeTwoLessThanTheFirstThatOverflows() throws IOException {
    PlanInput.Tensors input = read("id,lower,end,size\na,0,9223372036854775806,1\n");

    assertThat(input.file().operatorCount()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void read_unknownColumns_areNamedInOneNote() throws IOException {
    String header = "id,lower,upper,size,dtype,\u001b[31m,c,d,e,f,g,h,i,j,k,l,m";

    assertThat(read(header + "\na,0,1,5" + ",x".repeat(13) + "\n").file().notes())
        .containsExactly(
            "unknown columns are ignored:"
                + " '[31m', 'c', 'd', 'dtype', 'e', 'f', 'g', 'h', 'i', 'j'");
  }

  @Test
  void read_byteOrderMark_isSkipped(@TempDir Path folder) throws IOException {
    Path csv = Files.writeString(folder.resolve("p.csv"), "\uFEFFid,lower,upper,size\na,0,1,5\n");
    Path json = Files.writeString(folder.resolve("p.json"), "\uFEFF{\"records\": []}");

    assertThat(ReadInput.of(csv).labels()).containsExactly(new RecordLabel("a", "a"));
    assertThat(ReadInput.of(json).labels()).isEmpty();
  }
}
