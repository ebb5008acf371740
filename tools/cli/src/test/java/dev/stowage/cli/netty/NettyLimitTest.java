package dev.stowage.cli.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class NettyLimitTest {

  private static final NettyRun.Peak PEAK = new NettyRun.Peak(100, 10);

  @Test
  void search_limitBelowThePeak_endsWhereOneChunkLessFails() {
    assertThat(NettyLimit.search(PEAK, bytes -> bytes >= 80)).contains(new NettyLimit(80, 0, true));
    assertThat(NettyLimit.search(new NettyRun.Peak(10, 10), _ -> true))
        .contains(new NettyLimit(10, 0, true));
  }

  @Test
  void search_peakIsTooSmall_endsWithTheFirstLimitThatPasses() {
    assertThat(NettyLimit.search(PEAK, bytes -> bytes >= 115))
        .contains(new NettyLimit(120, 0, true));
  }

  @Test
  void search_allTriesPass_doesNotClaimThatOneChunkLessFails() {
    NettyLimit limit = NettyLimit.search(PEAK, _ -> true).orElseThrow();

    assertThat(limit).isEqualTo(new NettyLimit(30, 0, false));
    assertThat(limit.sentence())
        .isEqualTo("A limit with which all requests pass: -XX:MaxDirectMemorySize=30 (30 B).");
  }

  @Test
  void search_noTryPasses_hasNoLimit() {
    assertThat(NettyLimit.search(PEAK, _ -> false)).isEmpty();
  }

  @Test
  void forProgram_recordedSettings_isNeverBelowTheRecordedPeak() throws IOException {
    NettyAgreement exact = NettyAgreementTest.agreement(OptionalLong.of(4096));
    NettyAgreement missed = NettyAgreementTest.agreement(OptionalLong.of(5000));

    assertThat(new NettyLimit(3000, 0, true).forProgram(exact, true).bytes()).isEqualTo(4096);
    assertThat(new NettyLimit(4096, 0, true).forProgram(missed, true).bytes()).isEqualTo(5000);
  }

  @Test
  void forProgram_otherSettings_addsTheMiss() throws IOException {
    NettyAgreement exact = NettyAgreementTest.agreement(OptionalLong.of(4096));
    NettyAgreement more = NettyAgreementTest.agreement(OptionalLong.of(4000));
    NettyAgreement missed = NettyAgreementTest.agreement(OptionalLong.of(5000));
    NettyLimit ofReplay = new NettyLimit(3000, 0, true);

    assertThat(ofReplay.forProgram(exact, false)).isEqualTo(ofReplay);
    assertThat(ofReplay.forProgram(more, false)).isEqualTo(ofReplay);
    assertThat(ofReplay.forProgram(missed, false).sentence())
        .isEqualTo(
            "A limit for this program: -XX:MaxDirectMemorySize=3904 (3.813 KiB). All requests of the"
                + " replay pass with 904 B less, but the program held more than its replay.");
  }
}
