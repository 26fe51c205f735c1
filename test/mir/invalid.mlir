// Every rule of the verifier, and text that the parser rejects.
// RUN: simple-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a slice's element cannot be 'i24'}}
spl.func private @element(%a: !spl.slice<i24>) { spl.return }

// -----

// expected-error @+1 {{a slice's element cannot be '!spl.slice<!spl.slice<f32>>'}}
spl.func private @element_slice(%a: !spl.slice<!spl.slice<!spl.slice<f32>>>) { spl.return }

// -----

// expected-error @+1 {{a slice's element cannot be 'i7'}}
spl.func private @element_width(%a: !spl.slice<i7>) { spl.return }

// -----

// expected-error @+1 {{a slice's rank is 1 to 4, not 5}}
spl.func private @rank_five(%a: !spl.slice<f32, rank 5>) { spl.return }

// -----

// expected-error @+1 {{a slice's rank is 1 to 4, not 0}}
spl.func private @rank_zero(%a: !spl.slice<f32, mut, rank 0>) { spl.return }

// -----

// expected-error @+1 {{expected 'rank'}}
spl.func private @slice_word(%a: !spl.slice<f32, const>) { spl.return }

// -----

// expected-error @+1 {{returns nothing}}
spl.kernel @result() -> i32 attributes {signature = #spl.signature<"result()">} {
  %zero = arith.constant 0 : i32
  spl.return %zero : i32
}

// -----

// expected-error @+1 {{requires attribute 'signature'}}
spl.kernel @no_signature() {
  spl.return
}

// -----

// expected-error @+1 {{the kernel signature is malformed: a name was expected at column 1}}
spl.kernel @empty_signature() attributes {signature = #spl.signature<"">} {
  spl.return
}

// -----

// expected-error @+1 {{the kernel signature is malformed: a parameter was expected at column 37}}
spl.kernel @malformed_contract() attributes {signature = #spl.signature<"k(n: i32) unchecked if n + 1 <= n + m">} {
  spl.return
}

// -----

// expected-error @+1 {{'signature' must be '#spl.signature<...>', not "signature_of_text()"}}
spl.kernel @signature_of_text() attributes {signature = "signature_of_text()"} {
  spl.return
}

// -----

// expected-error @+1 {{needs a body of one block that ends in 'spl.return'}}
spl.kernel @two_blocks() attributes {signature = #spl.signature<"two_blocks()">} {
  spl.return
^other:
  spl.return
}

// -----

// expected-error @+1 {{needs a body of one block that ends in 'spl.return'}}
spl.func private @declaration()

// -----

// expected-error @+1 {{needs a body of one block that ends in 'spl.return'}}
spl.func private @other_end() {
  %zero = arith.constant 0 : i32
}

// -----

// expected-error @+1 {{cannot take or return a value of type 'index'}}
spl.kernel @argument(%i: index) attributes {signature = #spl.signature<"argument()">} {
  spl.return
}

// -----

// expected-error @+1 {{cannot take or return a value of type 'vector<3xf32>'}}
spl.func private @argument(%v: vector<3xf32>) {
  spl.return
}

// -----

// expected-error @+1 {{returns at most one value}}
spl.func private @two_results(%a: i32) -> (i32, i32) {
  spl.return %a, %a : i32, i32
}

// -----

// expected-error @+1 {{'spl.name' must be a string}}
spl.func private @name(%a: i32 {spl.name = 3}) {
  spl.return
}

// -----

spl.func private @returns_other(%a: i32) -> i64 {
  // expected-error @+1 {{must return what 'returns_other' declares: 'i64'}}
  spl.return %a : i32
}

// -----

spl.kernel @returns_value(%a: i32) attributes {signature = #spl.signature<"returns_value(a: i32)">} {
  // expected-error @+1 {{must return what 'returns_value' declares}}
  spl.return %a : i32
}

// -----

spl.func private @return_inside(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{expects parent op to be one of 'spl.kernel, spl.func'}}
    spl.return
  }
  spl.return
}

// -----

spl.func private @calls_nobody() {
  // expected-error @+1 {{calls 'nobody', which does not exist}}
  spl.call @nobody() : () -> ()
  spl.return
}

// -----

spl.kernel @entry() attributes {signature = #spl.signature<"entry()">} {
  spl.return
}
spl.func private @calls_kernel() {
  // expected-error @+1 {{calls 'entry', which is no spl.func}}
  spl.call @entry() : () -> ()
  spl.return
}

// -----

spl.func private @callee(%a: i32) -> i32 {
  spl.return %a : i32
}
spl.func private @calls_with_other_argument(%a: i64) {
  // expected-error @+1 {{does not fit 'callee' of type '(i32) -> i32'}}
  %b = spl.call @callee(%a) : (i64) -> i32
  spl.return
}

// -----

spl.func private @callee(%a: i32) -> i32 {
  spl.return %a : i32
}
spl.func private @calls_for_other_result(%a: i32) {
  // expected-error @+1 {{does not fit 'callee' of type '(i32) -> i32'}}
  spl.call @callee(%a) : (i32) -> ()
  spl.return
}

// -----

spl.func private @load_rank(%a: !spl.slice<f32, rank 2>, %i: i64) {
  // expected-error @+1 {{gives 1 indices to a slice of rank 2}}
  %x = spl.load %a[%i] : <f32, rank 2>
  spl.return
}

// -----

spl.func private @load_element(%a: !spl.slice<f32>, %i: i64) {
  // expected-error @+1 {{failed to verify that the result is the slice's element}}
  %x = "spl.load"(%a, %i) : (!spl.slice<f32>, i64) -> f64
  spl.return
}

// -----

spl.func private @load_index(%a: !spl.slice<f32>, %i: i32) {
  // expected-error @+1 {{operand #1 must be variadic of 64-bit signless integer, but got 'i32'}}
  %x = "spl.load"(%a, %i) : (!spl.slice<f32>, i32) -> f32
  spl.return
}

// -----

spl.func private @store_read_only(%a: !spl.slice<f32>, %i: i64, %x: f32) {
  // expected-error @+1 {{writes to a read-only slice}}
  spl.store %x, %a[%i] : <f32>
  spl.return
}

// -----

spl.func private @store_rank(%a: !spl.slice<f32, mut>, %i: i64, %x: f32) {
  // expected-error @+1 {{gives 2 indices to a slice of rank 1}}
  spl.store %x, %a[%i, %i] : <f32, mut>
  spl.return
}

// -----

spl.func private @store_element(%a: !spl.slice<f32, mut>, %i: i64, %x: f64) {
  // expected-error @+1 {{failed to verify that the value is the slice's element}}
  "spl.store"(%x, %a, %i) : (f64, !spl.slice<f32, mut>, i64) -> ()
  spl.return
}

// -----

spl.func private @extent_axis(%a: !spl.slice<f32, rank 2>) {
  // expected-error @+1 {{asks for axis 2 of a slice of rank 2}}
  %n = spl.extent %a, 2 : <f32, rank 2>
  spl.return
}

// -----

spl.func private @extent_negative(%a: !spl.slice<f32>) {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint}}
  %n = spl.extent %a, -1 : <f32>
  spl.return
}

// -----

spl.func private @read_only_of_read_only(%a: !spl.slice<f32>) {
  // expected-error @+1 {{must turn a mut slice into the same one without mut}}
  %b = spl.read_only %a : <f32> -> <f32>
  spl.return
}

// -----

spl.func private @read_only_to_mut(%a: !spl.slice<f32, mut>) {
  // expected-error @+1 {{must turn a mut slice into the same one without mut}}
  %b = spl.read_only %a : <f32, mut> -> <f32, mut>
  spl.return
}

// -----

spl.func private @read_only_element(%a: !spl.slice<f32, mut>) {
  // expected-error @+1 {{must turn a mut slice into the same one without mut}}
  %b = spl.read_only %a : <f32, mut> -> <f64>
  spl.return
}

// -----

spl.func private @read_only_rank(%a: !spl.slice<f32, mut, rank 2>) {
  // expected-error @+1 {{must turn a mut slice into the same one without mut}}
  %b = spl.read_only %a : <f32, mut, rank 2> -> <f32>
  spl.return
}

// -----

spl.func private @check_bounds(%c: i1, %i: i64) {
  // expected-error @+1 {{of kind index-out-of-bounds reports 2 numbers, not 1}}
  spl.check %c, <"index-out-of-bounds">(%i)
  spl.return
}

// -----

spl.func private @check_alignment(%c: i1) {
  // expected-error @+1 {{of kind misaligned-vector reports 2 numbers, not 0}}
  spl.check %c, <"misaligned-vector">
  spl.return
}

// -----

spl.func private @check_exponent(%c: i1) {
  // expected-error @+1 {{of kind negative-exponent reports 1 numbers, not 0}}
  spl.check %c, <"negative-exponent">
  spl.return
}

// -----

spl.func private @check_division(%c: i1, %i: i64) {
  // expected-error @+1 {{of kind division-by-zero reports 0 numbers, not 1}}
  spl.check %c, <"division-by-zero">(%i)
  spl.return
}

// -----

spl.func private @check_work_item(%c: i1, %i: i64) {
  // expected-error @+1 {{names its work-item by three local ids or not at all}}
  spl.check %c, <trap> work_item(%i)
  spl.return
}

// -----

spl.func private @check_kind(%c: i1) {
  // expected-error @+1 {{there is no fault 'bad-luck'}}
  spl.check %c, <"bad-luck">
  spl.return
}

// -----

spl.func private @intrinsic_unknown() {
  // expected-error @+1 {{names no intrinsic: 'gpu.coffee'}}
  %x = spl.intrinsic "gpu.coffee" : () -> i64
  spl.return
}

// -----

spl.func private @intrinsic_without_axis() {
  // expected-error @+1 {{'gpu.global_id' needs an axis}}
  %x = spl.intrinsic "gpu.global_id" : () -> i64
  spl.return
}

// -----

spl.func private @intrinsic_with_width(%a: f32) {
  // expected-error @+1 {{'gpu.group_sum' has no width}}
  %x = spl.intrinsic "gpu.group_sum"(%a) {width = 8 : i64} : (f32) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_with_wrong_width(%a: f32) {
  // expected-error @+1 {{width is 2, 4, 8, 16 or 32, not 12}}
  %x = spl.intrinsic "gpu.warp_sum"(%a) {width = 12 : i64} : (f32) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_with_axis(%a: f32) {
  // expected-error @+1 {{'math.sqrt' has no axis}}
  %x = spl.intrinsic "math.sqrt"(%a) axis 0 : (f32) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_axis_three() {
  // expected-error @+1 {{axis is 0, 1 or 2, not 3}}
  %x = spl.intrinsic "gpu.global_id" axis 3 : () -> i64
  spl.return
}

// -----

spl.func private @intrinsic_axis_negative() {
  // expected-error @+1 {{axis is 0, 1 or 2, not -1}}
  %x = spl.intrinsic "gpu.global_id" axis -1 : () -> i64
  spl.return
}

// -----

spl.func private @intrinsic_count(%a: f32) {
  // expected-error @+1 {{does not fit 'math.fma' of signature (F, F, F) -> F}}
  %x = spl.intrinsic "math.fma"(%a, %a) : (f32, f32) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_too_many(%a: f32) {
  // expected-error @+1 {{does not fit 'math.sqrt' of signature (F) -> F}}
  %x = spl.intrinsic "math.sqrt"(%a, %a) : (f32, f32) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_mixed(%a: f32, %b: f64) {
  // expected-error @+1 {{does not fit 'math.max' of signature (N, N) -> N}}
  %x = spl.intrinsic "math.max"(%a, %b) : (f32, f64) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_result(%a: f32) {
  // expected-error @+1 {{does not fit 'math.sqrt' of signature (F) -> F}}
  %x = spl.intrinsic "math.sqrt"(%a) : (f32) -> f64
  spl.return
}

// -----

spl.func private @intrinsic_float(%a: i32) {
  // expected-error @+1 {{does not fit 'math.sqrt' of signature (F) -> F}}
  %x = spl.intrinsic "math.sqrt"(%a) : (i32) -> i32
  spl.return
}

// -----

spl.func private @intrinsic_number(%a: i1) {
  // expected-error @+1 {{does not fit 'math.abs' of signature (N) -> N}}
  %x = spl.intrinsic "math.abs"(%a) : (i1) -> i1
  spl.return
}

// -----

spl.func private @intrinsic_scalar() {
  // expected-error @+1 {{does not fit 'gpu.local_id' of signature (axis) -> i64}}
  %x = spl.intrinsic "gpu.local_id" axis 0 : () -> i32
  spl.return
}

// -----

spl.func private @intrinsic_unsigned_float(%a: f32) {
  // expected-error @+1 {{is unsigned where no integer's sign matters}}
  %x = spl.intrinsic "math.abs"(%a) {isUnsigned} : (f32) -> f32
  spl.return
}

// -----

spl.func private @intrinsic_unsigned_id() {
  // expected-error @+1 {{is unsigned where no integer's sign matters}}
  %x = spl.intrinsic "gpu.local_id" axis 0 {isUnsigned} : () -> i64
  spl.return
}

// -----

spl.func private @float_to_bool(%a: f32) {
  // expected-error @+1 {{makes integers of as many floats}}
  %x = spl.float_to_int %a : f32 to i1
  spl.return
}

// -----

spl.func private @float_to_int_of_int(%a: i32) {
  // expected-error @+1 {{makes integers of as many floats, not 'i8' of 'i32'}}
  %x = spl.float_to_int %a : i32 to i8
  spl.return
}

// -----

spl.func private @print_counts(%x: i64) {
  // expected-error @+1 {{of 1 values has one text more, a letter and a number each}}
  spl.print ["x = "](%x) "i" [-1] : i64
  spl.return
}

// -----

spl.func private @print_kinds(%x: i64) {
  // expected-error @+1 {{cannot print 'i64' as 'f' with -1 digits}}
  spl.print ["x = ", ""](%x) "f" [-1] : i64
  spl.return
}
