/**
 * Rules for the shapes of operators, whose dimensions are expressions of open dimensions.
 *
 * <p>{@link GraphShapes} applies a {@link ShapeRule} to each operator and computes a {@link
 * SymbolicValue}: the dimensions as expressions, and the elements of small tensors. A number that
 * is known only at run time is a symbol of {@link Sizing}. The symbol stays in all expressions that
 * depend on it, and names its operator. {@link SymbolicTypes} completes the results of the rules by
 * the file and ONNX Runtime. {@link SymbolicRecords} derives the lifetimes as for one shape.
 *
 * <h2>Operators with rules</h2>
 *
 * <ul>
 *   <li>elementwise, with broadcasting: {@code Abs}, {@code Acos}, {@code Acosh}, {@code Add},
 *       {@code Affine}, {@code And}, {@code Asin}, {@code Asinh}, {@code Atan}, {@code Atanh},
 *       {@code BitShift}, {@code BitwiseAnd}, {@code BitwiseNot}, {@code BitwiseOr}, {@code
 *       BitwiseXor}, {@code Cast}, {@code CastLike}, {@code Ceil}, {@code Celu}, {@code Clip},
 *       {@code Cos}, {@code Cosh}, {@code Div}, {@code Elu}, {@code Equal}, {@code Erf}, {@code
 *       Exp}, {@code Floor}, {@code Gelu}, {@code Greater}, {@code GreaterOrEqual}, {@code
 *       HardSigmoid}, {@code HardSwish}, {@code Identity}, {@code ImageScaler}, {@code IsInf},
 *       {@code IsNaN}, {@code LeakyRelu}, {@code Less}, {@code LessOrEqual}, {@code Log}, {@code
 *       Max}, {@code Mean}, {@code Min}, {@code Mish}, {@code Mod}, {@code Mul}, {@code Neg},
 *       {@code Not}, {@code Or}, {@code PRelu}, {@code ParametricSoftplus}, {@code Pow}, {@code
 *       Reciprocal}, {@code Relu}, {@code Round}, {@code Scale}, {@code ScaledTanh}, {@code Selu},
 *       {@code Shrink}, {@code Sigmoid}, {@code Sign}, {@code Sin}, {@code Sinh}, {@code Softplus},
 *       {@code Softsign}, {@code Sqrt}, {@code Sub}, {@code Sum}, {@code Swish}, {@code Tan},
 *       {@code Tanh}, {@code ThresholdedRelu}, {@code Where}, {@code Xor}
 *   <li>along axes: {@code ArgMax}, {@code ArgMin}, {@code CumProd}, {@code CumSum}, {@code
 *       Hardmax}, {@code LogSoftmax}, {@code ReduceL1}, {@code ReduceL2}, {@code ReduceLogSum},
 *       {@code ReduceLogSumExp}, {@code ReduceMax}, {@code ReduceMean}, {@code ReduceMin}, {@code
 *       ReduceProd}, {@code ReduceSum}, {@code ReduceSumSquare}, {@code ReverseSequence}, {@code
 *       Softmax}, {@code TopK}, {@code Trilu}
 *   <li>matrices: {@code Det}, {@code Einsum}, {@code Gemm}, {@code MatMul}, {@code MatMulInteger},
 *       {@code QLinearMatMul}
 *   <li>images: {@code AffineGrid}, {@code AveragePool}, {@code CenterCropPad}, {@code Col2Im},
 *       {@code Conv}, {@code ConvInteger}, {@code ConvTranspose}, {@code Crop}, {@code DeformConv},
 *       {@code DepthToSpace}, {@code GlobalAveragePool}, {@code GlobalLpPool}, {@code
 *       GlobalMaxPool}, {@code GridSample}, {@code LpPool}, {@code MaxPool}, {@code MaxRoiPool},
 *       {@code MaxUnpool}, {@code QLinearConv}, {@code Resize}, {@code RoiAlign}, {@code
 *       SpaceToDepth}, {@code Upsample}
 *   <li>normalization and quantization: {@code BatchNormalization}, {@code DequantizeLinear},
 *       {@code Dropout}, {@code DynamicQuantizeLinear}, {@code GroupNormalization}, {@code
 *       InstanceNormalization}, {@code LRN}, {@code LayerNormalization}, {@code LpNormalization},
 *       {@code MeanVarianceNormalization}, {@code QuantizeLinear}, {@code RMSNormalization}, {@code
 *       SimplifiedLayerNormalization}
 *   <li>layout: {@code Concat}, {@code Expand}, {@code Flatten}, {@code Pad}, {@code Reshape},
 *       {@code Slice}, {@code Split}, {@code Squeeze}, {@code Tile}, {@code Transpose}, {@code
 *       Unsqueeze}
 *   <li>selection: {@code Compress}, {@code Gather}, {@code GatherElements}, {@code GatherND},
 *       {@code NonMaxSuppression}, {@code NonZero}, {@code OneHot}, {@code Scatter}, {@code
 *       ScatterElements}, {@code ScatterND}, {@code TensorScatter}, {@code Unique}
 *   <li>constants, sizes and random numbers: {@code Bernoulli}, {@code Constant}, {@code
 *       ConstantOfShape}, {@code EyeLike}, {@code Multinomial}, {@code RandomNormal}, {@code
 *       RandomNormalLike}, {@code RandomUniform}, {@code RandomUniformLike}, {@code Range}, {@code
 *       Shape}, {@code Size}
 *   <li>layers, signals and losses: {@code Attention}, {@code BlackmanWindow}, {@code DFT}, {@code
 *       GRU}, {@code HammingWindow}, {@code HannWindow}, {@code LSTM}, {@code MelWeightMatrix},
 *       {@code NegativeLogLikelihoodLoss}, {@code RNN}, {@code RotaryEmbedding}, {@code STFT},
 *       {@code SoftmaxCrossEntropyLoss}
 *   <li>bodies: {@code If}, {@code Loop}, {@code Scan} ({@code Scan} from version 9), and the
 *       functions of the model
 *   <li>of {@code com.microsoft}: {@code Attention}, {@code BiasAdd}, {@code BiasDropout}, {@code
 *       BiasGelu}, {@code BiasSoftmax}, {@code BiasSplitGelu}, {@code DynamicQuantizeMatMul},
 *       {@code EmbedLayerNormalization}, {@code FastGelu}, {@code FusedMatMul}, {@code Gelu},
 *       {@code GroupNorm}, {@code GroupQueryAttention}, {@code Inverse}, {@code MatMulInteger16},
 *       {@code MatMulIntegerToFloat}, {@code MatMulNBits}, {@code MultiHeadAttention}, {@code
 *       QLinearAdd}, {@code QLinearConcat}, {@code QLinearLeakyRelu}, {@code QLinearMul}, {@code
 *       QLinearSigmoid}, {@code QLinearSoftmax}, {@code QuickGelu}, {@code RotaryEmbedding}, {@code
 *       SkipGroupNorm}, {@code SkipLayerNormalization}, {@code SkipSimplifiedLayerNormalization},
 *       {@code TransposeMatMul}, {@code Trilu}
 * </ul>
 */
package dev.stowage.onnx.symbolic;
