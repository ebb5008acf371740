package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerTest {

  @Test
  void objection_onlyWhatZeroes_hasALimit() {
    assertThat(Peer.CONFINED_ARENA.objection(3L << 30)).isEmpty();
    assertThat(Peer.CONFINED_ARENA.objection(12L << 30))
        .hasValue("it would fill 12 GiB with zeros");
    assertThat(Peer.GLIBC.objection(12L << 30)).isEmpty();
  }
}
