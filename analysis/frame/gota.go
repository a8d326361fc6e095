package frame

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// gota makes a column of a slice by boxing each number, and copies each column of
// a frame once more, one after the other: ten times what pandas takes. So columns
// are made and filled here where gota 0.12 keeps them. field and newColumn look
// whether another gota still does before they touch anything, and panic if not;
// TestGota holds what they make against what gota makes.

// cell is what all columns of gota are made of.
type cell[V any] struct {
	value V
	null  bool
}

// newColumn makes a column of so many rows, all of them zero, with its cells.
func newColumn[V any](name string, t series.Type, rows int) (series.Series, []cell[V]) {
	s := series.New([]int{}, t, name)
	elements := field[series.Elements](&s, "elements")
	list := reflect.TypeOf(*elements)
	ours, theirs := reflect.TypeFor[cell[V]](), list.Elem()
	same := list.Kind() == reflect.Slice && theirs.Kind() == reflect.Struct && theirs.NumField() == ours.NumField() && theirs.Size() == ours.Size()
	for i := 0; same && i < ours.NumField(); i++ {
		same = theirs.Field(i).Type == ours.Field(i).Type && theirs.Field(i).Offset == ours.Field(i).Offset
	}
	if !same {
		panic(fmt.Sprintf("frame: gota keeps %s, which are no longer %s", list, ours))
	}
	made := reflect.MakeSlice(list, rows, rows)
	*elements = made.Interface().(series.Elements)
	return s, unsafe.Slice((*cell[V])(made.UnsafePointer()), rows)
}

// newFrame makes a frame of columns of so many rows without copying them.
func newFrame(columns []series.Series, rows int) dataframe.DataFrame {
	var df dataframe.DataFrame
	*field[[]series.Series](&df, "columns") = columns
	*field[int](&df, "ncols") = len(columns)
	*field[int](&df, "nrows") = rows
	return df
}

// field gives a field of a struct of gota's that has no name outside.
func field[T any](of any, name string) *T {
	f := reflect.ValueOf(of).Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("frame: gota's %T has no longer a field %s of type %s", of, name, reflect.TypeFor[T]()))
	}
	return (*T)(f.Addr().UnsafePointer())
}
