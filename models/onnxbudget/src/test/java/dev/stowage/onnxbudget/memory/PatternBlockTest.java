package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatternBlockTest {

  @Test
  void add_noGap_extendsTheBlock() {
    PatternBlock block = new PatternBlock();
    block.add(0, 256);
    block.add(1, 1);
    assertThat(block.bytes()).isEqualTo(512);
  }

  @Test
  void add_zeroBytes_needsNoPlace() {
    PatternBlock block = new PatternBlock();
    block.add(0, 0);
    assertThat(block.bytes()).isZero();
  }

  /*
   *   0    1    2    3    4    5    6 × 256
   *   | 0  |   gap   | 2  |
   */
  @Test
  void add_gap_isUsed() {
    PatternBlock block = new PatternBlock();
    block.add(0, 256);
    block.add(1, 512);
    block.add(2, 256);
    block.remove(1);
    block.add(3, 512);
    assertThat(block.bytes()).isEqualTo(1024);
  }

  /*
   * The free end of the block is a gap, too, and the smaller one:
   *
   *   0    1    2    3    4    5    6 × 256
   *   | 0  |      gap     | 2  | end |
   */
  @Test
  void add_endSmallerThanGap_usesTheEnd() {
    PatternBlock block = new PatternBlock();
    block.add(0, 256);
    block.add(1, 768);
    block.add(2, 256);
    block.add(3, 256);
    block.remove(1);
    block.remove(3);
    block.add(4, 256);
    block.add(5, 768);
    assertThat(block.bytes()).isEqualTo(1536);
  }
}
